import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repetitions } from '../../../../../tests/fixtures/repetitions.ts'
import { parseQuery } from '../query/query.ts'
import { MemoryIndex } from '../segments/memory-index.fixture.ts'
import type { IndexScope } from './index-scope.ts'
import { OpenScope } from './open-scope.ts'
import { rankMatches } from './rank-matches.ts'

const FIELDS = ['title', 'body']
const SCOPE: IndexScope = {
  name: '',
  classes: [
    { field: 'title', role: 'title' },
    { field: 'body', role: undefined },
  ],
  editions: new Map([
    [
      1,
      {
        ...{ feed: 1, order: 1, slots: [0, 1], times: [], only: undefined },
        ...{ orderedBy: 0 as const, isGrouped: true, names: new Set<string>() },
      },
    ],
  ]),
}
const FORMS = ['problems', 'problem', 'problematic']

interface Written {
  readonly title: string
  readonly body: string
}

/** Up to three forms, each up to forty times, in texts of up to twenty thousand other words. */
const written: fc.Arbitrary<Written> = fc
  .record({
    title: fc.constantFrom('', '', ...FORMS),
    forms: fc.subarray(FORMS),
    times: fc.constantFrom(1, 2, 40),
    others: fc.constantFrom(0, 1, 10, 300, 20_000),
  })
  .map(({ title, forms, times, others }) => ({
    title,
    body: `${'sand '.repeat(others)}${forms.map((form) => `${form} `.repeat(times)).join('')}`,
  }))

function found(texts: readonly Written[], query: string): number[] {
  const index = new MemoryIndex()
  index.write(
    texts.map(({ title, body }, number) => ({
      ...{ edition: 1, number, times: [number, number] as const, group: null, texts: [title, body] },
    })),
    [],
  )
  const page = { query: parseQuery(query, FIELDS), filter: undefined, limit: 100, after: undefined, check: () => {} }
  return rankMatches(index, new OpenScope(SCOPE).update(index), page).found.map(({ number }) => number)
}

test('a word as it was typed outranks all other forms, in any text', () => {
  let guessedBelow = 0
  fc.assert(
    fc.property(
      fc.array(written, { minLength: 2, maxLength: 12 }),
      fc.constantFrom(...FORMS),
      // A query with an exclusion is ranked in another way.
      fc.constantFrom('', ' -moss'),
      (texts, word, rest) => {
        const hasExact = ({ title, body }: Written) => `${title} ${body}`.split(' ').includes(word)
        const order = found(texts, word + rest).map((number) => hasExact(texts[number]!))
        expect(order).toEqual(order.toSorted((a, b) => Number(b) - Number(a)))
        expect(order.filter(Boolean)).toHaveLength(texts.filter(hasExact).length)
        if (order.includes(true) && order.includes(false)) guessedBelow++
      },
    ),
    { numRuns: repetitions(60, 200) },
  )
  expect(guessedBelow).toBeGreaterThan(10)
})
