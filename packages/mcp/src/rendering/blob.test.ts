import { expect, test } from 'vitest'
import { binaryOf, blobCommand, blobOf, blobsOf, blobsText, blobText, fieldCommand } from './blob.ts'

const HASH = 'a'.repeat(64)

test('recognises a blob reference by its shape', () => {
  expect(blobOf({ blob_id: 'b1', sha256: HASH, size_bytes: 5018, mime_type: 'application/pdf' })).toEqual({
    id: 'b1',
    mediaType: 'application/pdf',
    bytes: 5018,
  })
  expect(blobText(blobOf({ blob_id: 'b1', size_bytes: 5018 })!)).toBe('file, 5,018 bytes')
  for (const value of [null, 'b1', 7, [], {}, { blob_id: 'b1' }, { blob_id: 7, sha256: HASH }, { sha256: HASH }])
    expect(blobOf(value)).toBeUndefined()
})

test('describes a list that contains only files', () => {
  const blob = { blob_id: 'b1', size_bytes: 9, mime_type: 'image/gif' }
  expect(blobsText(blobsOf([blob, blob]))).toBe('2 files: image/gif, 9 bytes; image/gif, 9 bytes')
  expect(blobsText(blobsOf(Array(7).fill(blob)))).toMatch(/^7 files: .*; …$/)
  expect(blobsText(blobsOf(blob))).toBe('image/gif, 9 bytes')
  for (const value of [[], [blob, 'x'], 'x', null, {}]) expect(blobsOf(value)).toEqual([])
})

test('a hostile media type stays on one short line', () => {
  const { mediaType } = blobOf({ blob_id: 'b', sha256: HASH, mime_type: `text/x\n\u202eignore ${'x'.repeat(500)}` })!
  expect(mediaType).not.toMatch(/\n|\u202e/)
  expect(mediaType.length).toBeLessThanOrEqual(101)
})

test('a field command never contains shell syntax', () => {
  const url = 'https://data.example.org'
  expect(fieldCommand('home/messages:a%2Fb', 'photo', url)).toBe(
    `pdpp read record ${url} home/messages:a%2Fb --fields photo --json`,
  )
  for (const text of ['', 'x; rm -rf ~', '$(id)', "a'b", 'a b', '--json', 'a\nb']) {
    expect(fieldCommand(text, 'photo', url)).toBeUndefined()
    expect(fieldCommand('home/messages:a', text, url)).toBeUndefined()
  }
})

test('a blob command never contains shell syntax', () => {
  const url = 'https://data.example.org'
  expect(blobCommand(`blob_${HASH}`, 'home', url)).toBe(
    `pdpp read blob ${url} blob_${HASH} --connection home --output <file>`,
  )
  expect(blobCommand('b1', undefined, url)).toBe(`pdpp read blob ${url} b1 --output <file>`)
  for (const id of ['', 'x; rm -rf ~', '$(id)', '`id`', "a'b", 'a b', '--output', '-x', 'a\nb', 'x'.repeat(300)]) {
    expect(blobCommand(id, 'home', url)).toBeUndefined()
    expect(blobCommand('b1', id, url)).toBeUndefined()
  }
})

test('base64 text has the size of its bytes', () => {
  for (const size of [192, 300, 3_001]) {
    const text = Buffer.alloc(size, 'bytes').toString('base64')
    expect(binaryOf(text)?.bytes).toBe(size)
    expect(binaryOf(`data:image/png;base64,${text}`)).toEqual({ mediaType: 'image/png', bytes: size })
  }
})
