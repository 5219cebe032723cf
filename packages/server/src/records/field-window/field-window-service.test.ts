import { createHash } from 'node:crypto'
import { requireDeclaration } from '@pdpp/protocol'
import { describe, expect, test } from 'vitest'
import { enforce } from '../../grants/enforce.ts'
import { readField } from './field-window-service.ts'

const declaration = requireDeclaration({
  source: { id: 'https://tests.example/files' },
  declaration_version: '1',
  display: { name: 'Files' },
  streams: [
    {
      name: 'files',
      semantics: 'mutable_state',
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          at: { type: 'string', format: 'date-time' },
          size: { type: 'integer' },
          any: { type: ['string', 'integer', 'boolean', 'object', 'array'] },
          thumb: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
          raw: { type: 'string', contentEncoding: 'base64' },
          file: { type: 'object', properties: { blob_id: {}, sha256: {} } },
          constructor: { type: 'string' },
        },
      },
      primary_key: ['id'],
    },
  ],
})
const scope = enforce({ kind: 'owner', subjectId: 'me' }, { declaration, connections: ['home'] }, 'files')

function read(json: string, field: string, request = {}) {
  const position = { value: null, number: 1 }
  const record = { json, key: 'k', connectionId: 'home', emittedAt: 0, number: 1, bytes: json.length, position }
  return readField(scope, record as unknown as Parameters<typeof readField>[1], field, request)
}

describe('text', () => {
  test('is returned unchanged and measured in bytes', () => {
    const { field, window } = read('{"id":"grüße"}', 'id', { limitChars: 3 })
    expect(field).toEqual({ path: 'id', type: 'string', size_bytes: 7 })
    expect(window).toMatchObject({ text: 'grü', total_chars: 5, next_offset_chars: 3 })
  })

  test('in a time field has the type string', () => {
    expect(read('{"at":"2026-01-01T00:00:00Z"}', 'at').field.type).toBe('string')
  })
})

describe('other values', () => {
  test.each([
    ['{"any":{"b":1,"a":[true,null]}}', 'any', 'object', '{"a":[true,null],"b":1}'],
    ['{"any":[2,1]}', 'any', 'array', '[2,1]'],
    ['{"any":"x"}', 'any', 'string', 'x'],
    ['{"any":5}', 'any', 'number', '5'],
    ['{"any":12345678901234567890}', 'any', 'number', '12345678901234567890'],
    ['{"any":false}', 'any', 'boolean', 'false'],
    ['{"size":0}', 'size', 'integer', '0'],
    ['{"size":12345678901234567890}', 'size', 'integer', '12345678901234567890'],
  ])('%s is returned as canonical JSON', (json, name, type, text) => {
    const { field, window } = read(json, name)
    expect([field.type, window?.text, window?.complete]).toEqual([type, text, true])
  })
})

describe('binary', () => {
  const bytes = Buffer.from([0, 255, 137, 80])
  const sha256 = createHash('sha256').update(bytes).digest('hex')

  test('is described, never shown', () => {
    expect(read(JSON.stringify({ thumb: bytes.toString('base64') }), 'thumb')).toEqual({
      field: { path: 'thumb', type: 'binary', size_bytes: 4, media_type: 'image/png', sha256 },
      window: null,
    })
    expect(read(JSON.stringify({ raw: '' }), 'raw').field).toMatchObject({
      size_bytes: 0,
      media_type: 'application/octet-stream',
    })
  })

  test('in a blob is described by its reference', () => {
    const reference = { blob_id: 'b', sha256, size_bytes: 9, mime_type: 'application/pdf', path: '/home/me/secret' }
    expect(read(JSON.stringify({ file: reference }), 'file')).toEqual({
      field: { path: 'file', type: 'blob', size_bytes: 9, media_type: 'application/pdf', sha256 },
      window: null,
    })
    expect(read('{"file":{"blob_id":"b"}}', 'file').field).toEqual({ path: 'file', type: 'blob' })
  })
})

test.each(['{}', '{"id":null,"constructor":null}'])('a field without a value in %s is field_not_found', (json) => {
  for (const name of ['id', 'constructor']) {
    expect(() => read(json, name)).toThrow(
      expect.objectContaining({ code: 'field_not_found', detail: { param: 'field' } }),
    )
  }
})
