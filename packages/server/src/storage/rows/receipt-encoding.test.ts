import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeNumbers, encodeNumbers } from './receipt-encoding.ts'

const number = fc.oneof(fc.nat({ max: 300 }), fc.nat(), fc.maxSafeNat())

describe('encoded numbers', () => {
  test('decode to the same set, sorted', () => {
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const expected = [...new Set(numbers)].sort((a, b) => a - b)
        expect(decodeNumbers(encodeNumbers(numbers))).toEqual(expected)
      }),
    )
  })

  test.each([[[]], [[0]], [[127]], [[128]], [[0, 1, 129]], [[2 ** 31, 2 ** 32, 2 ** 53 - 1]]])(
    '%j decode to themselves',
    (numbers) => {
      expect(decodeNumbers(encodeNumbers(numbers))).toEqual(numbers)
    },
  )

  test('take about a byte each if they are close together', () => {
    const page = Array.from({ length: 100 }, (_, index) => 5_000_000 + index)
    expect(encodeNumbers(page).length).toBe(4 + 99)
  })

  test('leave the given array unchanged', () => {
    const numbers = [3, 1, 2, 1]
    encodeNumbers(numbers)
    expect(numbers).toEqual([3, 1, 2, 1])
  })
})
