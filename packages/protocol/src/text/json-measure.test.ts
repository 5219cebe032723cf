import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseJson } from './json.ts'
import { measureJson } from './json-measure.ts'

it('counts levels, up to one beyond the limit', () => {
  expect(measureJson(7, 500).depth).toBe(0)
  expect(measureJson({ a: [{}] }, 500).depth).toBe(3)
  expect(measureJson({ a: [{}] }, 1).depth).toBe(2)
  expect(measureJson(JSON.parse('['.repeat(4000) + ']'.repeat(4000)), 500).depth).toBe(501)
})

it('sees numbers that are kept as digits, at any level', () => {
  expect(measureJson(parseJson('{"a":[1,{"b":12.50}]}'), 500).hasRawNumbers).toBe(true)
  expect(measureJson(parseJson('{"a":[1,{"b":12.5}]}'), 500).hasRawNumbers).toBe(false)
})

it('never measures less than a sixth of the bytes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(measureJson(value, 500).chars * 6).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(value)))
    }),
  )
})
