import { describe, expect, test } from 'vitest'
import { readPlaces } from './occurrences.ts'

test('places of words, with the lengths of their fields', () => {
  const { ids, positions, lengths, terms } = readPlaces(2, '12w0 3 05 storm,7w1 15 8101 sea', [0], true)
  expect([[...ids], [...positions], [...lengths], terms]).toEqual([
    [12, 7],
    [3, 15],
    [5, 129],
    ['storm', 'sea'],
  ])
})

describe('a damaged index ends in an error, and never in a loop', () => {
  test.each([
    ['fewer places than counted', 2, '12w0 3 05'],
    ['cut off in a column', 1, '12w0'],
    ['cut off in a position', 1, '12w0 3'],
    ['no column', 1, '12 3 05'],
    ['nothing', 1, ''],
  ])('%s', (_what, count, text) => {
    expect(() => readPlaces(count, text, [0], false)).toThrow('damaged')
  })
})
