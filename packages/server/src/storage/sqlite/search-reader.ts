import type { Caller } from '../../lib/caller.ts'
import { type Candidates, chooseCandidates } from '../../search/candidates.ts'
import type { RankedPlace } from '../../search/first-pass.ts'
import { askLargestFirst } from '../../search/frequency.ts'
import { matchAny } from '../../search/match-expression.ts'
import { parseQuery, type Query, soughtWords } from '../../search/query.ts'
import { rankDocuments } from '../../search/ranking.ts'
import { type FieldScan, Scanner } from '../../search/scan.ts'
import type { FoundRecord, RankedRecord, SearchOutcome, SearchReader, SearchTarget } from '../../search/search-store.ts'
import { CANDIDATE_LIMITS } from '../../search/tiers.ts'
import { type WeightedWord, weighWord } from '../../search/word-weight.ts'
import { ChosenRows } from './chosen-rows.ts'
import type { Handle, ReadDatabases } from './database.ts'
import { feedsInScope, streamTable } from './feeds.ts'
import type { RankableRow } from './rankable.ts'
import type { ReadPool } from './read-pool.ts'
import { INLINE_READ } from './read-task.ts'
import { RecordRows } from './record-rows.ts'
import { SearchedFeed } from './searched-feed.ts'

/** Words in the index, everything else in our own code: ids by tiers, then one ranking over what the grant shows. */
export class SqliteSearchReader implements SearchReader {
  readonly #reader: Handle
  readonly #pool: ReadPool | undefined

  constructor({ reader, pool }: ReadDatabases) {
    this.#reader = reader
    this.#pool = pool
  }

  async search(targets: readonly SearchTarget[], text: string, caller?: Caller): Promise<SearchOutcome> {
    try {
      return await this.#search(targets, text, caller)
    } catch (error) {
      // An index was made anew while others had their turn. In one go nothing can come between.
      if (caller && error instanceof Error && /^no such /.test(error.message)) return this.#search(targets, text)
      throw error
    }
  }

  async #search(targets: readonly SearchTarget[], text: string, caller?: Caller): Promise<SearchOutcome> {
    const query = readQuery(targets, text)
    const { feeds, building, indexedThrough } = await this.#feeds(targets, query, caller)
    const words = await weigh(query, feeds, caller)
    if (caller && !feeds.every((feed) => feed.isCurrent())) return this.#search(targets, text)
    const rows = new ChosenRows(this.#reader, feeds)
    const chosen = chooseCandidates(query, words, feeds, (places) => rows.times(places))
    const ranking = chosen.ranking
      ? rankedPlaces(chosen.ranking, words, feeds, rows)
      : await readAll(chosen, words, rows, caller)
    const { complete } = chosen
    const { isCut } = query
    return { ...ranking, complete, words, isCut, feeds: feeds.length + building, building, indexedThrough }
  }

  async count(targets: readonly SearchTarget[], text: string, caller?: Caller): Promise<number> {
    const query = readQuery(targets, text)
    const { feeds } = await this.#feeds(targets, query, caller)
    const documents = feeds.reduce((sum, feed) => sum + feed.documents, 0)
    if (this.#pool && documents > INLINE_READ) return this.#pool.run({ kind: 'search_count', targets, text }, caller)
    const words = (await weigh(query, feeds, caller)).map((word) => word.expression)
    const asked = words.length === 0 ? null : matchAny(words)
    return feeds.reduce((sum, feed) => sum + feed.count(asked), 0)
  }

  async #feeds(targets: readonly SearchTarget[], query: Query, caller: Caller | undefined) {
    const feeds: SearchedFeed[] = []
    let building = 0
    const captured: number[] = []
    for (const target of targets) {
      const { scope } = target
      const table = streamTable(this.#reader, scope.subjectId, scope.connectorKey, scope.stream.name)
      if (!table) continue
      const all = feedsInScope(this.#reader, scope, table)
      const rows = new RecordRows(this.#reader, scope, table, all)
      for (const feed of all) {
        await caller?.pause()
        if (feed.capturedAt !== undefined) captured.push(feed.capturedAt)
        const searched = SearchedFeed.open(this.#reader, target, rows, feed, query, caller)
        if (searched) feeds.push(searched)
        else if (feed.recordCount > 0) building++
      }
    }
    return { feeds, building, indexedThrough: captured.length === 0 ? undefined : Math.max(...captured) }
  }
}

type Ranking = Pick<SearchOutcome, 'found' | 'read'>

/** What the index ranked by itself: only what is shown is read. */
function rankedPlaces(
  ranking: readonly RankedPlace[],
  words: readonly WeightedWord[],
  feeds: readonly SearchedFeed[],
  rows: ChosenRows,
): Ranking {
  const places = new Map<RankedRecord, RankedPlace>()
  for (const place of ranking)
    places.set({ target: feeds[place.feed]!.target, number: place.id, tier: place.tier }, place)
  return {
    found: [...places.keys()],
    read: (found) => {
      const scanner = new Scanner(words)
      const documents = rows.documents(found.map((one) => places.get(one)!))
      return found.flatMap((one) => {
        const document = documents.get(places.get(one)!)
        return document
          ? [
              shown(
                one.tier,
                document,
                document.texts.map((text) => scanner.scan(text)),
              ),
            ]
          : []
      })
    },
  }
}

/** Where the texts must tell how good a candidate is, all of them are read. */
async function readAll(
  { list, averages }: Candidates,
  words: readonly WeightedWord[],
  rows: ChosenRows,
  caller: Caller | undefined,
): Promise<Ranking> {
  await caller?.pause()
  const documents = [...rows.documents(list).values()]
  await caller?.pause()
  const found = rankDocuments(documents, words, averages)
    .slice(0, CANDIDATE_LIMITS.cap)
    .map(({ document, scans, tier }) => shown(tier, document, scans))
  return { found, read: (some) => some as FoundRecord[] }
}

function shown(
  tier: FoundRecord['tier'],
  { target, row, rows, data, texts }: RankableRow,
  scans: readonly FieldScan[],
): FoundRecord {
  const [connectionId, key] = [rows.connectionOf(row.feed), row.key]
  const [emittedAt, members] = [() => rows.emittedAt(row), () => rows.members(row, data)]
  return { target, number: row.id, tier, scans, texts, connectionId, key, emittedAt, members }
}

function readQuery(targets: readonly SearchTarget[], text: string): Query {
  return parseQuery(text, [...new Set(targets.flatMap(({ fields }) => fields))])
}

async function weigh(
  query: Query,
  feeds: readonly SearchedFeed[],
  caller: Caller | undefined,
): Promise<WeightedWord[]> {
  const documents = feeds.map((feed) => feed.documents)
  const ask = (word: string) => askLargestFirst(documents, (feed) => feeds[feed]!.wordFrequency(word))
  const scope = { documents: documents.reduce((sum, count) => sum + count, 0), frequencies: ask }
  const words: WeightedWord[] = []
  for (const word of soughtWords(query)) {
    await caller?.pause()
    words.push(weighWord(word, scope))
  }
  return words
}
