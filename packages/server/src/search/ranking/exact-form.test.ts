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

/**
 * Short texts that share no word with any query, so that the words of the queries are not in every record, and a long
 * text is much longer than the average.
 */
const OTHERS: readonly Written[] = Array.from({ length: 400 }, (_, at) => ({ title: '', body: `moss fern ${at}` }))

test('in a question, a typed form precedes another in the same text', () => {
  const pair = fc.record({
    title: fc.constantFrom('', 'kitchen', 'kitchen tiles'),
    before: fc.constantFrom('', 'kitchen ', 'the tiles ', 'sand '),
    times: fc.constantFrom(1, 2, 40, 255),
    others: fc.constantFrom(0, 1, 10, 300, 20_000, 200_000),
  })
  const words = fc.constantFrom(
    ['harbours', 'harbour'],
    ['harbour', 'harbours'],
    ['paid', 'pay'],
    ['problems', 'problem'],
  )
  const queries = fc.constantFrom('kitchen %', 'what about the % with the kitchen tiles', '% -moss tiles')
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 3 }), words, queries, (pairs, [typed, guessed], query) => {
      const textWith = (form: string) =>
        pairs.map(({ title, before, times, others }) => ({
          ...{ title, body: `${before}${`${form} `.repeat(times)}${'sand '.repeat(others)}` },
        }))
      // The guessed forms are newer, so that time alone would put them first.
      const texts = [...OTHERS, ...textWith(typed!), ...textWith(guessed!)]
      const order = found(texts, query.replace('%', typed!))
      for (const at of pairs.keys()) {
        const [exact, other] = [OTHERS.length + at, OTHERS.length + pairs.length + at].map((one) => order.indexOf(one))
        expect(exact).toBeGreaterThanOrEqual(0)
        if (other! >= 0) expect(exact).toBeLessThan(other!)
      }
    }),
    { numRuns: repetitions(100, 400) },
  )
})

test('in a question, "No problem" never precedes "problems", in any text', () => {
  const lengths = fc.uniqueArray(fc.constantFrom(1, 10, 300, 2000, 20_000, 200_000), { minLength: 1 })
  const replies = fc.uniqueArray(fc.constantFrom('No problem', 'No problem at all', 'Oh, no problem, no problem'), {
    minLength: 1,
  })
  fc.assert(
    fc.property(lengths, replies, fc.constantFrom('', 'kitchen'), (long, short, title) => {
      // At the same place they would be alike, and after three of them other records come first.
      const exact = long.map((others) => ({ title, body: `${'sand '.repeat(others)}problems` }))
      const texts = [...OTHERS, ...exact, ...short.map((body) => ({ title, body }))]
      const order = found(texts, 'what were the problems with the kitchen').map(
        (at) => at < OTHERS.length + exact.length,
      )
      expect(order.filter(Boolean)).toHaveLength(exact.length)
      expect(order).toEqual(order.toSorted((a, b) => Number(b) - Number(a)))
    }),
    { numRuns: repetitions(40, 200) },
  )
})
