import { expect, test } from 'vitest'
import { blobId, blobPaths, blobReferences, parseBlobId } from './blob-reference.ts'
import { requireDeclaration } from './declaration/declaration-check.ts'

const reference = { type: 'object', properties: { blob_id: { type: 'string' }, sha256: { type: 'string' } } }
const stream = (properties: object) =>
  requireDeclaration({
    source: { kind: 'connector', id: 'urn:test' },
    connector_key: 'test',
    declaration_version: '1',
    display: { name: 'Test' },
    streams: [
      {
        name: 's',
        semantics: 'mutable_state',
        schema: { type: 'object', properties: { id: { type: 'string' }, ...properties }, $defs: { file: reference } },
        primary_key: ['id'],
      },
    ],
  }).streams[0]!

test('finds blob references by their shape anywhere in a schema', () => {
  const paths = blobPaths(
    stream({
      blob_ref: { ...reference, type: ['object', 'null'] },
      cover: { $ref: '#/$defs/file' },
      scan: { anyOf: [{ type: 'null' }, reference] },
      photos: { type: 'array', items: reference },
      short: { type: 'object', properties: { blob_id: { type: 'string' } }, required: ['blob_id'] },
      'a/b~c': { type: 'object', properties: { thumb: reference, name: { type: 'string' } } },
      looks_alike: { type: 'object', properties: { blob_id: { type: 'string' } } },
    }),
  )
  expect(paths).toEqual([['blob_ref'], ['cover'], ['scan'], ['short'], ['photos', null], ['a/b~c', 'thumb']])
  const found = blobReferences(paths, {
    blob_ref: null,
    cover: { blob_id: 'one' },
    scan: { blob_id: 7 },
    photos: [{ blob_id: 'two' }, null, 'x', { blob_id: 'three' }],
    'a/b~c': { thumb: { blob_id: 'four' }, name: 'x' },
    looks_alike: { blob_id: 'five' },
  })
  expect(found.map(({ field, path, members }) => [field, path, members['blob_id']])).toEqual([
    ['cover', '/cover', 'one'],
    ['photos', '/photos/0', 'two'],
    ['photos', '/photos/3', 'three'],
    ['a/b~c', '/a~1b~0c/thumb', 'four'],
  ])
})

test('stops on a schema that refers to itself', () => {
  const node = { type: 'object', properties: { child: { $ref: '#/properties/tree' }, file: reference } }
  expect(blobPaths(stream({ tree: node }))).toHaveLength(5)
  const wide = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`f${n}`, { $ref: '#/properties/tree' }]))
  // Without a limit there would be 400 parts below each of 400 parts, six levels deep, which nothing could finish.
  expect(blobPaths(stream({ tree: { type: 'object', properties: wide } }))).toEqual([])
})

test('a blob id parses to its hash and nothing else does', () => {
  const sha256 = 'a1'.repeat(32)
  expect(parseBlobId(blobId(sha256))).toBe(sha256)
  for (const text of ['', sha256, `blob_${sha256}0`, `blob_${sha256.toUpperCase()}`, 'blob_../../x'])
    expect(parseBlobId(text)).toBeUndefined()
})
