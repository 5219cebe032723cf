import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { repetitions } from '../../../../../tests/fixtures/repetitions.ts'
import { parseQuery, soughtWords } from '../query/query.ts'
import { MemoryIndex } from '../segments/memory-index.fixture.ts'
import type { IndexedDocument } from '../segments/segment.ts'
import type { EditionScope, IndexScope } from './index-scope.ts'
import { LEVERS, type Levers } from './levers.ts'
import { OpenScope } from './open-scope.ts'
import { ORACLE_NUMBERS, type OracleDocument, oracleRank } from './oracle.fixture.ts'
import { packRank, unpackRank } from './packed-rank.ts'
import { type RankedPage, rankMatches } from './rank-matches.ts'
import type { RankPosition } from './scoring/top-ranks.ts'

const WORDS = [
  ...['gull', 'gulls', 'harbour', 'harbours', 'rope', 'the', 'at', 'tide', 'organ', 'organs', 'organic', 'v2'],
  ...['ropegulls', 'price', 'euro', '3f2a91c0', '3f2a91c0-4711-4abc-9def-0123456789ab', '4711'],
]
/** Words that no query asks for. Most texts have little else, so that neighbours matter. */
const OTHERS = ['rain', 'sand', 'moss', 'fern', 'salt', 'peat', 'clay', 'reed', 'tarn', 'heath']
const wordsOf = (words: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...words), { maxLength, size: 'max' }).map((list) => list.join(' '))
const text = fc.oneof(
  { arbitrary: wordsOf(WORDS, 20), weight: 1 },
  { arbitrary: wordsOf([...WORDS, ...OTHERS, ...OTHERS, ...OTHERS], 2), weight: 5 },
)
const author = fc.constantFrom('reed', 'heath', 'rope reed', 'tide')
const FIELDS = ['title', 'body', 'author'] as const
const ROLES = ['title', undefined, 'actor'] as const

interface Entry {
  readonly feed: number
  readonly number: number
  readonly time: number
  readonly group: string | null
  readonly texts: readonly [string, string, string]
}

const entry: fc.Arbitrary<Entry> = fc.record({
  feed: fc.integer({ min: 1, max: 3 }),
  number: fc.integer({ min: 1, max: 60 }),
  time: fc.integer({ min: 0, max: 9 }),
  group: fc.constantFrom('quay', 'pier', null),
  texts: fc.tuple(text, text, author),
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
  readonly showsGroup: boolean
}

const grant: fc.Arbitrary<Grant> = fc.record({
  feeds: fc.subarray([1, 2, 3], { minLength: 1 }),
  fields: fc.constantFrom([1], [0, 1], [1, 2], [0, 2], [0, 1, 2]),
  since: fc.constantFrom(0, 4),
  only: fc.option(fc.constantFrom([1, 2, 3, 4, 5, 6, 7, 8, 20, 21, 22, 23, 24]), { freq: 1 }),
  showsTime: fc.constantFrom(true, true, false),
  showsGroup: fc.constantFrom(true, true, false),
})
const levers: fc.Arbitrary<Levers> = fc
  .record({
    windowRecords: fc.constantFrom(1000, 20),
    windowWords: fc.constantFrom(64, 64, 4),
    guessed: fc.constantFrom(0.6, 1),
    window: fc.constantFrom(LEVERS.window, LEVERS.window, []),
    windowReach: fc.constantFrom(8000, 60, 1),
    alike: fc.constantFrom(0.8, 0.5),
    alikeFree: fc.constantFrom(3, 1),
    copyFree: fc.constantFrom(1, 2),
    minValue: fc.constantFrom(0.0625, 0.5),
  })
  .map((changed) => ({ ...LEVERS, ...changed }))
const askedWord = fc.oneof(
  { arbitrary: fc.constantFrom(...WORDS), weight: 8 },
  { arbitrary: fc.constantFrom('"rope tide"', '-gull', 'body:tide'), weight: 1 },
)
const asked = fc.array(askedWord, { minLength: 1, maxLength: 4, size: 'max' })

/** Words in the names of a feed's stream and fields. */
const NAMES: Readonly<Record<number, readonly string[]>> = { 1: ['organ'], 2: ['tide', 'gull'], 3: [] }

/** Feed numbers are not edition numbers. */
const editionOf = (feed: number) => feed + 10
const documentOf = ({ feed, number, time, group, texts }: Entry): IndexedDocument => ({
  ...{ edition: editionOf(feed), number, times: [time, -time], group, texts },
})

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

function scopeOf({ feeds, fields, since, only, showsTime, showsGroup }: Grant): IndexScope {
  const set = only && new Set(only)
  const editions = feeds.map((feed): [number, EditionScope] => {
    const slots = FIELDS.map((_, at) => fields.indexOf(at))
    const times = since === 0 ? [] : [{ column: 0 as const, since, until: Number.POSITIVE_INFINITY }]
    const orderedBy = showsTime ? (0 as const) : undefined
    const shown = { orderedBy, isGrouped: showsTime && showsGroup, names: new Set(NAMES[feed]) }
    return [editionOf(feed), { feed, order: feed, slots, times, only: set ?? undefined, ...shown }]
  })
  const classes = fields.map((at) => ({ field: FIELDS[at]!, role: ROLES[at] }))
  return { name: '', classes, editions: new Map(editions) }
}

function visibleTo({ feeds, fields, since, only, showsTime, showsGroup }: Grant, world: World): OracleDocument[] {
  return [...world.entries.values()]
    .filter(({ feed, number, time }) => feeds.includes(feed) && time >= since && (only?.includes(number) ?? true))
    .map(({ feed, number, time, group, texts }) => ({
      ...{ feed, number, time: showsTime ? time : Number.NEGATIVE_INFINITY, names: NAMES[feed]! },
      group: showsTime && showsGroup ? (group ?? undefined) : undefined,
      fields: fields.map((at) => ({ name: FIELDS[at]!, role: ROLES[at], text: texts[at]! })),
    }))
}

/** Times in these worlds are small numbers. */
const TIMES = [
  { from: 2, to: 5, lift: 1 },
  { from: 4, to: 7, lift: 0.5 },
]

const rank = (
  world: World,
  granted: Grant,
  query: string,
  {
    limit = 1000,
    after,
    changed = LEVERS,
  }: { limit?: number; after?: RankPosition | undefined; changed?: Levers } = {},
): RankedPage =>
  rankMatches(world.index, new OpenScope(scopeOf(granted), changed).update(world.index), {
    query: { ...parseQuery(query, FIELDS), times: query.includes('tide') ? TIMES : [] },
    ...{ filter: undefined, limit, after, check: () => {} },
  })

function positionOf({ found, statistics }: RankedPage): RankPosition | undefined {
  const last = found.at(-1)
  return last && unpackRank(packRank({ ...last, statistics }))
}

const answerOf = ({ found, total, withAllWords, words }: RankedPage) => ({
  found: found.map(({ feed, number, grains, isHead, match, neighbour }) => [
    feed,
    number,
    grains,
    isHead,
    match,
    neighbour,
  ]),
  words: words.map(({ term, records, weight, forms }) => [term, records, weight, forms]),
  ...{ total, withAllWords },
})

const ALL: Grant = { feeds: [1, 2, 3], fields: [0, 1, 2], since: 0, only: null, showsTime: true, showsGroup: true }
const placeOf = ({ feed, number }: { feed: number; number: number }): string => `${feed}/${number}`
/** The levers that the tests change. The oracle has its own copy of all others. */
const choiceOf = ({ windowRecords, windowReach, windowWords, guessed, window, ...others }: Levers) => ({
  ...{ windowRecords, windowReach, windowWords, guessed, window },
  ...{ alike: others.alike, alikeFree: others.alikeFree, copyFree: others.copyFree, minValue: others.minValue },
})

/** Two of the words in the queries are function words. */
function isSentence(words: readonly string[]): boolean {
  const plain = words.filter((word) => WORDS.includes(word))
  const small = plain.filter((word) => word === 'the' || word === 'at')
  return small.length > 0 && small.length < plain.length
}

describe('the ranking', () => {
  test('equals a ranking that reads every text, for any grant and writes', () => {
    let [matched, inContext] = [0, 0]
    fc.assert(
      fc.property(
        fc.array(batch, { maxLength: 6, size: 'max' }),
        grant,
        asked,
        levers,
        (batches, granted, words, changed) => {
          const world = new World()
          for (const { written, removed, merged } of batches) {
            world.write(written, removed)
            if (merged) world.index.merge(merged[0], merged[0] + merged[1])
          }
          const query = parseQuery(words.join(' '), FIELDS)
          const demanded = [...query.phrases, ...query.fieldTerms]
          const expected = oracleRank(
            visibleTo(granted, world),
            {
              ...{ words: soughtWords(query), demanded, excluded: query.exclusions },
              times: words.join().includes('tide') ? TIMES : [],
              isSentence: isSentence(words),
            },
            ...([undefined, undefined, { ...ORACLE_NUMBERS, ...choiceOf(changed) }] as const),
          )
          const page = rank(world, granted, words.join(' '), { changed })
          expect(page.found.map(placeOf)).toEqual(expected.order)
          const contexts = page.found.filter(({ match }) => match === 'context')
          expect(new Map(contexts.map((one) => [placeOf(one), placeOf(one.neighbour!)]))).toEqual(expected.contexts)
          expect([page.total, page.withAllWords]).toEqual([
            expected.order.length - contexts.length,
            expected.withAllWords,
          ])
          inContext += contexts.length
          expect(page.words.map(({ records }) => records)).toEqual(expected.records)
          matched += expected.order.length
        },
      ),
      { numRuns: repetitions(200, 400) },
    )
    expect(matched).toBeGreaterThan(150)
    expect(inContext).toBeGreaterThan(25)
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
            // A hidden version must not replace a visible record.
            const fresh = extra.filter(({ feed, number }) => !seen.entries.has(`${feed}/${number}`))
            if (fresh.length > 0) differing++
            const group = (one: Entry) => (granted.showsGroup ? one.group : one.number % 3 ? 'quay' : null)
            const times = (one: Entry) => (granted.showsTime || granted.since > 0 ? one.time : (one.number * 7) % 10)
            const changed = visible.map((one) => ({ ...one, texts: texts(one), group: group(one), time: times(one) }))
            other.write([...changed, ...fresh])
            if (merged) other.index.merge(merged[0], merged[0] + merged[1])
          }
          expect(answerOf(rank(other, granted, words.join(' ')))).toEqual(
            answerOf(rank(seen, granted, words.join(' '))),
          )
        },
      ),
      { numRuns: repetitions(150, 300) },
    )
    expect(differing).toBeGreaterThan(25)
  })

  test('does not depend on hundreds of hidden documents in the same segment', () => {
    let found = 0
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 60, size: 'max' }),
        fc.array(wordsOf(WORDS, 6), { minLength: 100, maxLength: 100 }),
        fc.oneof(asked, fc.subarray(['the', 'at', 'of'], { minLength: 2 })),
        (entries, texts, words) => {
          const visible = entries.map((one, at): Entry => ({ ...one, feed: 1, number: at + 1 }))
          const hidden = Array.from(
            { length: 1000 },
            (_, at): Entry => ({
              ...{
                feed: 2,
                number: at,
                time: at % 10,
                group: 'quay',
                texts: [texts[at % 100]!, texts[(at + 7) % 100]!, 'tide'],
              },
            }),
          )
          const [seen, other] = [new World(), new World()]
          seen.write(visible)
          other.write([...visible, ...hidden])
          const granted = { ...ALL, feeds: [1] }
          const answer = answerOf(rank(other, granted, words.join(' ')))
          expect(answer).toEqual(answerOf(rank(seen, granted, words.join(' '))))
          found += answer.total
        },
      ),
      { numRuns: repetitions(40, 400) },
    )
    expect(found).toBeGreaterThan(100)
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

          const names = ({ found }: RankedPage) => found.map(({ feed, number }) => `${feed}/${number}`)
          const paged: string[] = []
          for (let after: RankPosition | undefined, hasMore = true; hasMore; ) {
            const page = rank(world, ALL, words.join(' '), { limit, after })
            paged.push(...names(page))
            after = positionOf(page)
            hasMore = page.hasMore
          }
          expect(paged).toEqual(names(rank(world, ALL, words.join(' '))))
        },
      ),
      { numRuns: repetitions(50, 100) },
    )
  })

  test('demands quoted words on a later page only if the first page did', () => {
    const world = new World()
    const written = (number: number, body: string): Entry => ({
      ...{ feed: 1, number, time: number, group: null, texts: ['', body, 'reed'] },
    })
    world.write([1, 2, 3, 4].map((number) => written(number, 'rope harbour')))
    const query = '"rope tide" at the harbour'
    const first = rank(world, ALL, query, { limit: 2 })
    expect(first.found).toHaveLength(2)
    world.write([written(5, 'rope tide')])
    const next = rank(world, ALL, query, { limit: 4, after: positionOf(first) })
    expect(next.found.map(placeOf)).toEqual(expect.arrayContaining(['1/1', '1/2']))
  })

  test('keeps the order of the first page, whatever is written between pages', () => {
    let written = 0
    fc.assert(
      fc.property(
        fc.array(batch, { minLength: 2, maxLength: 5 }),
        fc.array(fc.array(entry, { maxLength: 30 }), { maxLength: 6 }),
        asked,
        fc.integer({ min: 1, max: 7 }),
        (batches, later, words, limit) => {
          const world = new World()
          for (const one of batches) world.write(one.written)
          const expected = rank(world, ALL, words.join(' ')).found.map(placeOf)
          const before = new Set(world.entries.keys())
          const paged: string[] = []
          let number = 1000
          for (let after: RankPosition | undefined, hasMore = true; hasMore; ) {
            const page = rank(world, ALL, words.join(' '), { limit, after })
            paged.push(...page.found.map(placeOf))
            after = positionOf(page)
            hasMore = page.hasMore
            // Further records, in other conversations than the existing ones.
            const more = later.shift() ?? []
            world.write(more.map((one) => ({ ...one, number: number++, group: null })))
            written += more.length
          }
          expect(paged.filter((name) => before.has(name))).toEqual(expected)
          expect(new Set(paged).size).toBe(paged.length)
        },
      ),
      { numRuns: repetitions(30, 60) },
    )
    expect(written).toBeGreaterThan(75)
  })
})
