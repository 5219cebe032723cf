import { parseJson } from '@pdpp/protocol'
import { expect, test } from 'vitest'
import { recordRows } from './record-rows.ts'

test('numbers keep their original digits', () => {
  const rows = parseJson('[{"id":"1","data":{"price":3.90}},{"id":"2","data":{"price":9007199254740993}}]')
  expect(recordRows(rows as Record<string, unknown>[]).lines).toEqual([
    'KEY  PRICE',
    '1    3.90',
    '2    9007199254740993',
  ])
})
