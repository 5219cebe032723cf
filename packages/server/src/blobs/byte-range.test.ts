import { expect, it } from 'vitest'
import { byteRange, matchesTag } from './byte-range.ts'

it.each([
  ['bytes=0-0', { from: 0, to: 0 }],
  ['bytes=2-5', { from: 2, to: 5 }],
  ['bytes=2-', { from: 2, to: 9 }],
  ['bytes=-3', { from: 7, to: 9 }],
  ['bytes=-300', { from: 0, to: 9 }],
  ['bytes=5-999999999999999', { from: 5, to: 9 }],
  ['BYTES = 9 - 9', { from: 9, to: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-11', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=a-b', undefined],
  ['bytes=0x1-2', undefined],
  ['bytes=1-99999999999999999999', undefined],
  ['items=0-1', undefined],
  ['', undefined],
  [undefined, undefined],
])('range of ten bytes: %s', (header, expected) => expect(byteRange(header, 10)).toEqual(expected))

it('an empty file has no ranges', () => {
  expect(byteRange('bytes=0-', 0)).toBe('unsatisfiable')
  expect(byteRange('bytes=-5', 0)).toBe('unsatisfiable')
  expect(byteRange(undefined, 0)).toBeUndefined()
})

it('compares tags like If-None-Match', () => {
  const tag = '"abc"'
  for (const header of ['"abc"', 'W/"abc"', '"x", "abc"', '*', ' "abc" ']) expect(matchesTag(header, tag)).toBe(true)
  for (const header of [undefined, '', '"abcd"', 'abc', '"x"']) expect(matchesTag(header, tag)).toBe(false)
})
