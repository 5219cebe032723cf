import { expect, test } from 'vitest'
import { parseQuery, soughtWords } from '../../query/query.ts'
import type { ListedSegment } from '../../segments/index-snapshot.ts'
import { MemoryIndex } from '../../segments/memory-index.fixture.ts'
import type { Postings } from '../../segments/postings-codec.ts'
import type { IndexScope } from '../index-scope.ts'
import { OpenScope } from '../open-scope.ts'
import { oracleRank } from '../oracle.fixture.ts'
import { rankMatches } from '../rank-matches.ts'
import type { RankPosition } from './top-ranks.ts'

const FIELDS = ['title', 'body'] as const
/** From the rarest word to one that nearly all texts have. */
const WORDS = ['gannet', 'kelp', 'tides', 'harbour', 'gulls', 'rope', 'tide', 'gull', 'buoy', 'the']
const QUERIES = [
  ...[
    'gull',
    'tide',
    'rope',
    'kelp',
    'buoy',
    'buoy rope',
    'gull tide',
    'gannet gull',
    'kelp the gull',
    'the',
    'gull gull tide rope',
  ],
  ...['gannet kelp harbour rope tide gull the', 'harbour rope gull', '"gull tide" rope', '"tide gull"', 'gull -rope'],
  ...['"rope gull tide"', '"kelp gull"', 'body:gull tide', '"gannet kelp"', '"gull gull"'],
]

interface Entry {
  readonly number: number
  readonly time: number
  readonly group: string
  readonly texts: readonly [string, string]
}

const ANY = { filter: undefined, after: undefined, check: () => {} }

let state = 7
function below(limit: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((state / 2 ** 32) * limit)
}

function textOf(words: number): string {
  const drawn = Array.from({ length: words }, () => {
    const word = WORDS[Math.floor(Math.sqrt(below(WORDS.length ** 2)))]!
    return below(4) === 0 ? `moss${below(50)}` : word
  })
  return drawn.join(' ')
}

const entryOf = (number: number): Entry => ({
  ...{ number, time: below(500), group: `g${below(900)}` },
  texts: [textOf(below(3)), textOf(1 + below(12))],
})
const documentOf = ({ number, time, group, texts }: Entry) => ({
  ...{ edition: 1, number, times: [time, time] as const, group, texts },
})

function scopeOf(fields: readonly number[], since: number): IndexScope {
  const times = since === 0 ? [] : [{ column: 0 as const, since, until: Number.POSITIVE_INFINITY }]
  const slots = FIELDS.map((_, at) => fields.indexOf(at))
  const edition = { feed: 1, order: 1, slots, orderedBy: 0 as const, isGrouped: true, names: new Set(['rope']) }
  const classes = fields.map((at) => ({ field: FIELDS[at]!, role: at === 0 ? 'title' : undefined }))
  return { name: '', classes, editions: new Map([[1, { ...edition, times, only: undefined }]]) }
}

/** Segments and their postings are the same objects in every search, as in a store. */
class KeptIndex extends MemoryIndex {
  #segments: readonly ListedSegment[] | undefined
  readonly #kept = new Map<string, Postings | undefined>()

  override get segments(): readonly ListedSegment[] {
    this.#segments ??= super.segments
    return this.#segments
  }

  override postings(term: string, at: number): Postings | undefined {
    const name = `${at} ${term}`
    if (!this.#kept.has(name)) this.#kept.set(name, super.postings(term, at))
    return this.#kept.get(name)
  }
}

test('words of thousands of records are counted and ranked exactly', () => {
  const [entries, index] = [new Map<number, Entry>(), new KeptIndex()]
  const write = (from: number, to: number) => {
    const written = Array.from({ length: to - from }, (_, at) => entryOf(from + at))
    index.write(written.map(documentOf))
    for (const one of written) entries.set(one.number, one)
  }
  write(0, 1500)
  write(1490, 2000)
  // These are new versions of existing records.
  write(700, 800)
  index.merge(1, 3)
  for (const [fields, since] of [
    [[0, 1], 0],
    [[0, 1], 200],
    // Nearly all documents are hidden, including whole blocks of long lists.
    [[0, 1], 495],
    [[1], 0],
  ] as const) {
    // biome-ignore format: a list
    const scope = new OpenScope(scopeOf(fields, since)).update(index)
    const visible = [...entries.values()].filter(({ time }) => time >= since)
    const documents = visible.map(({ number, time, group, texts }) => ({
      ...{ feed: 1, number, time, group, names: ['rope'] },
      fields: fields.map((at) => ({ name: FIELDS[at]!, role: at === 0 ? 'title' : undefined, text: texts[at]! })),
    }))
    for (const text of QUERIES.filter((_, at) => fields.length === 2 || at % 3 === 0)) {
      const query = parseQuery(text, FIELDS)
      const sought = { words: soughtWords(query), demanded: [...query.phrases, ...query.fieldTerms] }
      const times = text.includes('harbour') ? [{ from: 100, to: 300, lift: 1 }] : []
      const expected = oracleRank(documents, { ...sought, excluded: query.exclusions, times })
      // How many documents are skipped depends on how many are wanted.
      for (const limit of [1, 2, 5, 10, 25, 50]) {
        const page = rankMatches(index, scope, { ...ANY, query: { ...query, times }, limit })
        const names = page.found.map(({ number }) => `1/${number}`)
        expect([text, limit, names]).toEqual([text, limit, expected.order.slice(0, limit)])
      }
      let after: RankPosition | undefined
      for (const limit of [3, 20, 140]) {
        const page = rankMatches(index, scope, { ...ANY, query: { ...query, times }, limit, after })
        const at = { 3: 0, 20: 3, 140: 23 }[limit]!
        expect([text, page.found.map(({ number }) => `1/${number}`)]).toEqual([
          text,
          expected.order.slice(at, at + limit),
        ])
        expect(page.words.map(({ records }) => records)).toEqual(expected.records)
        const own = expected.order.length - expected.contexts.size
        expect([page.total, page.totals.get(1) ?? 0, page.withAllWords]).toEqual([own, own, expected.withAllWords])
        if (!page.hasMore) break
        after = { ...page.found.at(-1)!, statistics: page.statistics }
      }
    }
  }
})

test('one word ranks the same with and without blocks, whatever ties', () => {
  const index = new KeptIndex()
  // A few documents rank above the many with equal sums.
  const gulls = (number: number) => (number % 3 === 0 ? '' : number % 997 === 1 ? 'gull gull' : 'gull')
  const documents = Array.from({ length: 24_000 }, (_, number) => {
    const time = (number * 7919) % 100_003
    const texts = ['', `${gulls(number)} moss moss ${number % 4001 === 1 ? 'gulls' : 'moss'}`]
    return { edition: 1, number, times: [time, time] as const, group: `g${number % 5003}`, texts }
  })
  index.write(documents.slice(0, 20_000))
  index.write(documents.slice(20_000))
  for (const since of [0, 40_000, 99_000]) {
    const scope = new OpenScope(scopeOf([0, 1], since)).update(index)
    for (const limit of [1, 10, 40, 90]) {
      const [found, expected] = ['gull', 'gull -kelp'].map((text) => {
        const page = rankMatches(index, scope, { ...ANY, query: parseQuery(text, FIELDS), limit })
        return [page.total, page.found.map(({ number, grains }) => [number, grains])]
      })
      expect(found).toEqual(expected)
    }
  }
})

test('records that only further neighbours find do not count as matches', () => {
  const index = new KeptIndex()
  const documents = Array.from({ length: 4500 }, (_, number) => {
    const text = `${number % 1500 === 25 ? 'gannet' : ''} ${number % 10 < 7 ? 'gull' : ''} moss${number % 50} sand`
    return {
      edition: 1,
      number,
      times: [number, number] as const,
      group: `g${Math.floor(number / 50)}`,
      texts: ['', text],
    }
  })
  index.write(documents)
  const scope = new OpenScope(scopeOf([0, 1], 0)).update(index)
  // A query with an exclusion scores every document.
  const [found, expected] = ['gannet gull', 'gannet gull -kelp'].map((text) => {
    const page = rankMatches(index, scope, { ...ANY, query: parseQuery(text, FIELDS), limit: 10 })
    return [page.statistics.headGrains, page.found.map(({ number, grains }) => [number, grains])]
  })
  expect(found).toEqual(expected)
})

test('words of neighbours count in long conversations', () => {
  const [entries, index] = [[] as Entry[], new KeptIndex()]
  // Two rare words that are often some records apart, in conversations that are longer than words reach.
  const rare = (number: number) =>
    `${number % 97 === 5 ? 'gannet ' : ''}${number % 97 === 5 + (number % 7) ? 'kelp ' : ''}${number % 89 === 3 ? 'kelp ' : ''}`
  for (let number = 0; number < 2000; number++) {
    const words = `${rare(number)}${number % 3 === 0 ? 'gull' : 'moss'} ${'sand '.repeat(number % 11)}`
    entries.push({ number, time: number, group: `g${Math.floor(number / 200)}`, texts: ['', words] })
  }
  index.write(entries.slice(0, 950).map(documentOf))
  index.write(entries.slice(950, 1800).map(documentOf))
  index.write(entries.slice(1800).map(documentOf))
  for (const since of [0, 300]) {
    const scope = new OpenScope(scopeOf([0, 1], since)).update(index)
    const documents = entries
      .filter(({ time }) => time >= since)
      .map(({ number, time, group, texts }) => ({
        ...{ feed: 1, number, time, group, names: ['rope'] },
        fields: FIELDS.map((name, at) => ({ name, role: at === 0 ? 'title' : undefined, text: texts[at]! })),
      }))
    for (const text of ['gannet kelp', 'gannet gull', 'gannet kelp gull', 'gannet kelp -moss']) {
      const query = parseQuery(text, FIELDS)
      const sought = { words: soughtWords(query), demanded: [], excluded: query.exclusions, times: [] }
      const expected = oracleRank(documents, sought)
      for (const limit of [1, 10, 60]) {
        const page = rankMatches(index, scope, { ...ANY, query, limit })
        const names = page.found.map(({ number }) => `1/${number}`)
        expect([text, since, names]).toEqual([text, since, expected.order.slice(0, limit)])
        const own = expected.order.length - expected.contexts.size
        expect([page.total, page.withAllWords]).toEqual([own, expected.withAllWords])
      }
    }
  }
})
