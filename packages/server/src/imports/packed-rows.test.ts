import type { IngestRow } from '@pdpp/importers'
import { parseJson } from '@pdpp/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packRows, unpackRows } from './packed-rows.ts'

const crossed = (rows: readonly IngestRow[]) => unpackRows(structuredClone(packRows(rows)))

it('gives rows to another thread as JSON would', () => {
  const data = fc.dictionary(
    fc.string().filter((name) => name !== '__proto__'),
    fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, [undefined])),
    { maxKeys: 4 },
  )
  const rows = fc.array(fc.record({ key: fc.string(), data }), { maxLength: 6 })
  fc.assert(
    fc.property(rows, (some) => {
      expect(crossed(some)).toEqual(JSON.parse(JSON.stringify(some)))
    }),
  )
})

it('keeps the digits of numbers, at any level', () => {
  const text = '{"price":12.50,"big":9223372036854775807,"list":[{"share":0.10}]}'
  const rows = [{ key: 'a', data: parseJson(text) as Record<string, unknown> }]
  expect(JSON.stringify(crossed(rows)[0]!.data)).toBe(text)
})
