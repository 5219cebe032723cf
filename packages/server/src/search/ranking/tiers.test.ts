import { describe, expect, test } from 'vitest'
import { parseQuery } from '../query/query.ts'
import { collectCandidates } from './collect-candidates.ts'
import { askLargestFirst, estimateFrequency } from './frequency.ts'
import { planCandidates } from './tiers.ts'
import { weighWord } from './word-weight.ts'

const weigh = (text: string, known: Record<string, readonly number[]>, documents = 100_000) => {
  const frequencies = (expression: string) => {
    const asked = [...expression.matchAll(/"([^"]*)"( \*)?/g)]
    const meets = (term: string) =>
      asked.some(([, letters, prefix]) => (prefix ? term.startsWith(letters!) : term === letters))
    const found = Object.keys(known).filter(meets)
    return [0, 1, 2].map((feed) => found.reduce((sum, term) => sum + (known[term]![feed] ?? 0), 0))
  }
  return parseQuery(text).words.map((word) => weighWord(word, { documents, frequencies }))
}

describe('a plan', () => {
  test('asks for all words, then fewer, then the rarest alone', () => {
    const words = weigh('the old ferry sank', { the: [9000, 0], old: [900, 10], ferry: [600, 0], sank: [0, 700] })
    const steps = planCandidates(words)
    expect(steps.map(({ kind, expression }) => [kind, expression])).toEqual([
      ['all', '("ferry" AND "sank" AND "old" AND "the")'],
      ['content', '("ferry" AND "sank" AND "old")'],
      ['pair', '("ferry" AND ("sank" OR "old"))'],
      ['pair', '("sank" AND "old")'],
      ['single', '"ferry"'],
      ['single', '"sank"'],
      ['single', '"old"'],
    ])
    expect(steps[0]!.expected).toEqual([0, 0, 0])
    expect(steps[2]!.expected).toEqual([600, 0, 0])
  })

  test('asks first for what was written as one', () => {
    const words = weigh('ferry 2026-05', { ferry: [600], '2026': [9000], '05': [8000] })
    const steps = planCandidates(words, null, parseQuery('ferry 2026-05').compounds)
    expect(steps.slice(0, 3).map(({ expression }) => expression)).toEqual([
      '("2026 05" AND ("ferry" AND "05" AND "2026"))',
      '"2026 05"',
      '("ferry" AND "05" AND "2026")',
    ])
    expect(steps[1]!.expected).toEqual([8000, 0, 0])
  })

  test('stays short for a long question', () => {
    const names = Array.from({ length: 40 }, (_, index) => `w${index}`)
    const words = weigh(names.join(' '), Object.fromEntries(names.map((name, index) => [name, [600 + index]])))
    expect(planCandidates(words).filter(({ kind }) => kind !== 'single').length).toBeLessThanOrEqual(10)
  })

  test('leaves out words that nobody wrote, and is empty when there are no others', () => {
    const [...steps] = planCandidates(weigh('ferry xyzzy', { ferry: [600, 0] }))
    expect(steps.map(({ expression }) => expression)).toEqual(['"ferry"', '"ferry"'])
    expect(planCandidates(weigh('xyzzy', {}))).toEqual([])
    expect(planCandidates(weigh('xyzzy', {}), [5, 5])).toMatchObject([{ kind: 'demanded', expression: null }])
  })
})

describe('candidates', () => {
  const newest = (count: number, limit: number) =>
    Array.from({ length: Math.min(count, limit) }, (_, index) => count - index)

  test('are shared between feeds, and what a small one leaves goes to the large ones', () => {
    const counts = [20, 100_000, 50_000]
    const words = weigh('ferry', { ferry: counts }, 1_000_000)
    const { list, complete } = collectCandidates(planCandidates(words), (feed, _, limit) =>
      newest(counts[feed]!, limit),
    )
    expect(counts.map((_, feed) => list.filter((candidate) => candidate.feed === feed).length)).toEqual([20, 140, 140])
    expect(complete).toBe(false)
  })

  test('hold everything that matches where that is little', () => {
    const words = weigh('ferry', { ferry: [20, 0] })
    const { list, complete } = collectCandidates(planCandidates(words), (_, __, limit) => newest(20, limit))
    expect([list.length, complete]).toEqual([20, true])
  })
})

describe('a frequency', () => {
  const feed = { documents: 1000, oldestId: 1, newestId: 1000 }
  test('is exact below the sample and carried on above it', () => {
    expect(estimateFrequency([5, 3], feed)).toBe(2)
    const everyFifth = Array.from({ length: 100 }, (_, index) => 1000 - index * 5)
    expect(estimateFrequency(everyFifth, feed)).toBeCloseTo(200, -1)
    expect(
      estimateFrequency(
        Array.from({ length: 100 }, (_, index) => 1000 - index),
        feed,
      ),
    ).toBe(1000)
  })

  test('of a common word is asked of the larger half of a large store, of a rare word everywhere', () => {
    const documents = [1000, 40_000, 30_000, 2000]
    const asked: number[] = []
    const ask = (share: number) => (feed: number) => {
      asked.push(feed)
      return Math.round(documents[feed]! * share)
    }
    expect(askLargestFirst(documents, ask(0.1))).toEqual([100, 4000, 3000, 200])
    expect(asked).toEqual([1])
    expect(askLargestFirst(documents, ask(0.001))).toEqual([1, 40, 30, 2])
    expect(asked).toEqual([1, 1, 2, 3, 0])
  })
})
