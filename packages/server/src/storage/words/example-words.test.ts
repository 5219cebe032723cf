import { expect, test } from 'vitest'
import { buildSegment } from '../../search/segments/segment-builder.ts'
import { PartTerms } from '../../search/segments/word-part.ts'
import { exampleWords } from './example-words.ts'

const DOCUMENTS = 4000

/** Every document has `everywhere`, every fourth `harbour`, every eighth `tide` and `x1`, and two of them `lantern`. */
function textOf(number: number): string {
  const words = ['everywhere']
  if (number % 4 === 0) words.push('harbour')
  if (number % 8 === 0) words.push('tide', 'x1')
  if (number < 2) words.push('lantern')
  if (number === 2) words.push('single')
  return words.join(' ')
}

test('examples are frequent words first, and words of a few documents', () => {
  const { parts } = buildSegment(
    Array.from({ length: DOCUMENTS }, (_, number) => ({
      ...{ edition: 1, number: number + 1, times: [1, 1] as const, group: null, texts: [textOf(number)] },
    })),
  )
  const examples = exampleWords(
    parts.map(({ terms }) => new PartTerms(terms)),
    DOCUMENTS,
  )
  expect(examples).toEqual({ common: ['harbour', 'tide'], rare: ['lantern'] })
})

test('a rehearsal gets another frequent word in each of its rounds', () => {
  const letters = 'abcdefghijklmnop'
  const { parts } = buildSegment(
    Array.from({ length: 400 }, (_, number) => ({
      ...{ edition: 1, number: number + 1, times: [1, 1] as const, group: null },
      // The further a letter is in the alphabet, the fewer documents have its word.
      texts: [
        [...letters]
          .filter((_, at) => number % 4 === 0 && number < 400 - at * 8)
          .map((one) => one.repeat(5))
          .join(' '),
      ],
    })),
  )
  const terms = parts.map((part) => new PartTerms(part.terms))
  expect(exampleWords(terms, 400).common).toEqual([...letters].slice(0, 12).map((one) => one.repeat(5)))
})

test('a segment without usable words has no examples', () => {
  expect(exampleWords([], 10)).toEqual({ common: [], rare: [] })
})
