import { describe, expect, test } from 'vitest'
import type { EditionScope } from '../ranking/index-scope.ts'
import { OpenScope } from '../ranking/open-scope.ts'
import { rankMatches } from '../ranking/rank-matches.ts'
import { MemoryIndex } from '../segments/memory-index.fixture.ts'
import { parseQuery } from './query.ts'

const CLASSES = [
  { field: 'title', role: 'title' },
  { field: 'body', role: undefined },
]
const SHOWN: EditionScope = {
  ...{ feed: 1, order: 0, slots: [0, 1], orderedBy: 0, isGrouped: false, names: new Set() },
  ...{ times: [], only: undefined },
}

/** Ranks texts of a title and a body, the oldest first, and returns their positions. */
function ask(query: string, texts: readonly (readonly [string, string])[]): number[] {
  const index = new MemoryIndex()
  index.write(
    texts.map((pair, number) => ({ edition: 1, number, times: [number, number], group: null, texts: [...pair] })),
  )
  const scope = new OpenScope({ name: '', classes: CLASSES, editions: new Map([[1, SHOWN]]) }).update(index)
  const request = { query: parseQuery(query), filter: undefined, limit: 100, after: undefined, check: () => {} }
  return rankMatches(index, scope, request).found.map(({ number }) => number)
}

describe('a question', () => {
  const others = Array.from({ length: 20 }, (_, at) => ['', `nothing of that ${at}`] as const)

  const mail = ['Lessons', 'the accordion waits, 32 for an hour'] as const
  const lessonsOf = (bodyOf: (at: number) => string) =>
    Array.from({ length: 9 }, (_, at) => ['The accordion lesson', bodyOf(at)] as const)

  test('is shown other records after three of a kind', () => {
    const lessons = lessonsOf((at) => 'towel '.repeat([4, 4, 4, 4, 4, 4, 1, 9, 6][at]!))
    const order = ask('When are the accordion lessons?', [mail, ...lessons, ...others])
    expect(order.slice(0, 5)).toEqual([9, 8, 7, 0, 6])
    expect(order).toHaveLength(10)
  })

  test('is shown other records after one of several copies', () => {
    const lessons = lessonsOf((at) => `bring a towel ${at}`)
    const order = ask('When are the accordion lessons?', [mail, ...lessons, ...others])
    expect(order.slice(0, 4)).toEqual([9, 0, 8, 7])
    expect(order).toHaveLength(10)
  })

  test('finds two of its words where they are written as one', () => {
    const texts = [['', 'Startnummer 2817'], ['', 'the starting gun'], ...others] as const
    expect(ask('What was the start number?', texts)[0]).toBe(0)
    expect(ask('What was the number of the start?', texts)).not.toContain(0)
    const club = [['', 'bookclub: Winterbees'], ...others] as const
    expect(ask('Which book did the club read?', club)[0]).toBe(0)
  })

  test('for an amount of money prefers a named currency', () => {
    const texts = [
      ['', 'the barometer, 146 euros'],
      ['', 'the barometer, lovely'],
      ['', '12 euros'],
      ...others,
    ] as const
    expect(ask('How much was the barometer?', texts)).toEqual([0, 1])
    expect(ask('Who has the barometer?', texts)).toEqual([1, 0])
  })

  test('with a name in quotes that nobody wrote so is answered by its words', () => {
    const texts = [['', 'the doctor travels with Susan'], ['', 'who is at the door'], ...others] as const
    expect(ask('With whom travels "Doctor Who" in the series?', texts)[0]).toBe(0)
    expect(ask('"Doctor Who"', texts)).toEqual([])
    expect(ask('travels "Doctor Who"', texts)).toEqual([])
    expect(ask('With whom travels "the doctor" in the series?', texts)).toEqual([0])
  })
})
