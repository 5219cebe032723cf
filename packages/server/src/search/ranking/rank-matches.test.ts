import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery, soughtWords } from '../query/query.ts'
import { MemoryIndex } from '../segments/memory-index.fixture.ts'
import type { IndexedDocument } from '../segments/segment.ts'
import type { EditionScope, IndexScope } from './index-scope.ts'
import { OpenScope } from './open-scope.ts'
import { type OracleDocument, oracleRank } from './oracle.fixture.ts'
import { type RankedPage, rankMatches } from './rank-matches.ts'
import type { RankPosition } from './top-ranks.ts'

const WORDS = ['gull', 'gulls', 'harbour', 'harbours', 'rope', 'the', 'at', 'tide', 'organ', 'organs', 'organic', 'v2']
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 20, size: 'max' }).map((words) => words.join(' '))
const FIELDS = ['title', 'body', 'note'] as const

interface Entry {
  readonly feed: number
  readonly number: number
  readonly time: number
  readonly texts: readonly [string, string, string]
}

const entry: fc.Arbitrary<Entry> = fc.record({
  feed: fc.integer({ min: 1, max: 3 }),
  number: fc.integer({ min: 1, max: 60 }),
  time: fc.integer({ min: 0, max: 9 }),
  texts: fc.tuple(text, text, text),
})
const batch = fc.record({
  written: fc.uniqueArray(entry, { selector: ({ feed, number }) => `${feed}/${number}`, maxLength: 40, size: 'max' }),
  removed: fc.array(fc.record({ feed: fc.integer({ min: 1, max: 3 }), number: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 2,
  }),
  merged: fc.option(fc.tuple(fc.nat({ max: 5 }), fc.integer({ min: 1, max: 6 }))),
})
interface Grant {
  readonly feeds: readonly number[]
  readonly fields: readonly number[]
  readonly since: number
  readonly only: readonly number[] | null
  readonly showsTime: boolean
}

const grant: fc.Arbitrary<Grant> = fc.record({
  feeds: fc.subarray([1, 2, 3], { minLength: 1 }),
  fields: fc.subarray([0, 1, 2], { minLength: 1 }),
  since: fc.constantFrom(0, 4),
  only: fc.option(fc.constantFrom([1, 2, 3, 4, 5, 6, 7, 8])),
  showsTime: fc.boolean(),
})
const asked = fc.array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom('"rope tide"', '-gull', 'body:tide')), {
  minLength: 1,
  maxLength: 4,
})

/** Feed numbers are not edition numbers. */
const editionOf = (feed: number) => feed + 10
const documentOf = ({ feed, number, time, texts }: Entry): IndexedDocument => {
  const group = number % 2 ? 'odd' : null
  return { edition: editionOf(feed), number, times: [time, -time], group, texts }
}

class World {
  readonly index = new MemoryIndex()
  readonly entries = new Map<string, Entry>()

  write(written: readonly Entry[], removed: readonly { feed: number; number: number }[] = []): void {
    const gone = removed.filter(({ feed, number }) => this.entries.has(`${feed}/${number}`))
    const left = gone.filter((one) => !written.some(({ feed, number }) => feed === one.feed && number === one.number))
    this.index.write(
      written.map(documentOf),
      left.map(({ feed, number }) => ({ edition: editionOf(feed), number })),
    )
    for (const { feed, number } of left) this.entries.delete(`${feed}/${number}`)
    for (const one of written) this.entries.set(`${one.feed}/${one.number}`, one)
  }
}

function scopeOf({ feeds, fields, since, only, showsTime }: Grant): IndexScope {
  const set = only && new Set(only)
  const editions = feeds.map((feed): [number, EditionScope] => {
    const slots = FIELDS.map((_, at) => fields.indexOf(at))
    const times = since === 0 ? [] : [{ column: 0 as const, since, until: Number.POSITIVE_INFINITY }]
    return [
      editionOf(feed),
      { feed, order: feed, slots, orderedBy: showsTime ? 0 : undefined, times, only: set ?? undefined },
    ]
  })
  const classes = fields.map((at) => ({ field: FIELDS[at]!, role: at === 0 ? 'title' : undefined }))
  return { name: '', classes, editions: new Map(editions) }
}

function visibleTo({ feeds, fields, since, only, showsTime }: Grant, world: World): OracleDocument[] {
  return [...world.entries.values()]
    .filter(({ feed, number, time }) => feeds.includes(feed) && time >= since && (only?.includes(number) ?? true))
    .map(({ feed, number, time, texts }) => ({
      ...{ feed, number, time: showsTime ? time : Number.NEGATIVE_INFINITY },
      fields: fields.map((at) => ({ name: FIELDS[at]!, role: at === 0 ? 'title' : undefined, text: texts[at]! })),
    }))
}

const rank = (world: World, granted: Grant, query: string, limit = 1000, after?: RankPosition): RankedPage =>
  rankMatches(world.index, new OpenScope(scopeOf(granted)).update(world.index), {
    query: parseQuery(query, FIELDS),
    ...{ filter: undefined, limit, after, check: () => {} },
  })
const answerOf = ({ found, total, withAllWords, words }: RankedPage) => ({
  found: found.map(({ feed, number, grains, isHead }) => `${feed}/${number} ${grains} ${isHead}`),
  words: words.map(({ term, records, weight, forms }) => [term, records, weight, forms]),
  ...{ total, withAllWords },
})

describe('the ranking', () => {
  test('equals one that reads every text, whatever is granted, written, removed and merged', () => {
    let matched = 0
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 6, size: 'max' }), grant, asked, (batches, granted, words) => {
        const world = new World()
        for (const { written, removed, merged } of batches) {
          world.write(written, removed)
          if (merged) world.index.merge(merged[0], merged[0] + merged[1])
        }
        const query = parseQuery(words.join(' '), FIELDS)
        const expected = oracleRank(visibleTo(granted, world), {
          words: soughtWords(query),
          demanded: [...query.phrases, ...query.fieldTerms],
          excluded: query.exclusions,
        })
        const page = rank(world, granted, words.join(' '))
        expect(page.found.map(({ feed, number }) => `${feed}/${number}`)).toEqual(expected.order)
        expect([page.total, page.withAllWords]).toEqual([expected.order.length, expected.withAllWords])
        expect(page.words.map(({ records }) => records)).toEqual(expected.records)
        matched += expected.order.length
      }),
      { numRuns: 400 },
    )
    expect(matched).toBeGreaterThan(300)
  })

  test('does not depend on anything hidden', () => {
    let differing = 0
    const hidden = fc.array(batch, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(
        fc.array(batch, { minLength: 1, maxLength: 4 }),
        hidden,
        grant,
        asked,
        (batches, more, granted, words) => {
          const [seen, other] = [new World(), new World()]
          const isVisible = ({ feed, number, time }: Entry) =>
            granted.feeds.includes(feed) && time >= granted.since && (granted.only?.includes(number) ?? true)
          for (const [at, { written, merged }] of batches.entries()) {
            const visible = written.filter(isVisible)
            seen.write(visible)
            // The other world has hidden records between the visible ones, and other texts in hidden fields.
            const extra = more[at % more.length]!.written.filter(
              (one) =>
                !isVisible(one) && !visible.some(({ feed, number }) => feed === one.feed && number === one.number),
            )
            const texts = (one: Entry) =>
              one.texts.map((own, field) => (granted.fields.includes(field) ? own : 'gull harbour organ')) as never
            // A record that is visible must not be replaced by a hidden version of it.
            const fresh = extra.filter(({ feed, number }) => !seen.entries.has(`${feed}/${number}`))
            if (fresh.length > 0) differing++
            other.write([...visible.map((one) => ({ ...one, texts: texts(one) })), ...fresh])
            if (merged) other.index.merge(merged[0], merged[0] + merged[1])
          }
          expect(answerOf(rank(other, granted, words.join(' ')))).toEqual(
            answerOf(rank(seen, granted, words.join(' '))),
          )
        },
      ),
      { numRuns: 300 },
    )
    expect(differing).toBeGreaterThan(50)
  })

  test('shows every match once, page by page, in the order of one long page', () => {
    fc.assert(
      fc.property(
        fc.array(batch, { minLength: 2, maxLength: 5 }),
        asked,
        fc.integer({ min: 1, max: 7 }),
        (batches, words, limit) => {
          const world = new World()
          for (const { written } of batches) world.write(written)
          const all = { feeds: [1, 2, 3], fields: [0, 1, 2], since: 0, only: null, showsTime: true }
          const names = ({ found }: RankedPage) => found.map(({ feed, number }) => `${feed}/${number}`)
          const paged: string[] = []
          for (let after: RankPosition | undefined, hasMore = true; hasMore; ) {
            const page = rank(world, all, words.join(' '), limit, after)
            paged.push(...names(page))
            after = page.found.at(-1)
            hasMore = page.hasMore
          }
          expect(paged).toEqual(names(rank(world, all, words.join(' '))))
        },
      ),
      { numRuns: 200 },
    )
  })
})
