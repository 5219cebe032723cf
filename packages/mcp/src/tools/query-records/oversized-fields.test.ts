import { expect, test } from 'vitest'
import { withBytesDescribed } from './oversized-fields.ts'

test('001.4.1 describes base64 fields and changes nothing else', () => {
  const encoded = Buffer.alloc(300, 'picture').toString('base64')
  const row = { object: 'record', id: 'a', data: { title: 'A picture', photo: `data:image/png;base64,${encoded}` } }
  const plain = { object: 'record', id: 'b', data: { title: 'None' } }
  const body = { object: 'list', has_more: true, next_cursor: 'c', data: [row, plain] }
  const photo = { object: 'field_descriptor', type: 'binary', media_type: 'image/png', size_bytes: 300 }
  expect(withBytesDescribed(body)).toEqual({
    ...body,
    data: [{ ...row, data: { title: 'A picture', photo } }, plain],
  })
  const without = { ...body, data: [plain] }
  expect(withBytesDescribed(without)).toEqual(without)
})
