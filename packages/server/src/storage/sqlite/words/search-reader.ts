import type { RequestSignal } from '../../../lib/request-signal.ts'
import { parseQuery, type Query, soughtWords } from '../../../search/query/query.ts'
import { chooseCandidates } from '../../../search/ranking/candidates.ts'
import type { Candidates } from '../../../search/ranking/collect-candidates.ts'
import type { RankedPlace } from '../../../search/ranking/first-pass.ts'
import { askLargestFirst } from '../../../search/ranking/frequency.ts'
import { type FieldScan, MatchFinder } from '../../../search/ranking/match-finder.ts'
import { Ranking } from '../../../search/ranking/ranking.ts'
import { CANDIDATE_LIMITS } from '../../../search/ranking/tiers.ts'
import { type WeightedWord, weighWord } from '../../../search/ranking/word-weight.ts'
import type {
  FoundRecord,
  RankedRecord,
  SearchedStream,
  SearchOutcome,
  SearchReader,
} from '../../../search/search-store.ts'
import type { Handle, ReadDatabases } from '../engine/database.ts'
import type { ReadPool } from '../engine/read-pool.ts'
import { MAX_INLINE_ROWS } from '../engine/read-task.ts'
import { feedsInScope, streamTable } from '../records/feeds.ts'
import { LastChanges } from '../records/last-change.ts'
import { RecordRows } from '../records/record-rows.ts'
import { RecordSets } from '../records/record-set.ts'
import type { RankableRow, RecordContent } from './candidate-content.ts'
import { CandidateRows } from './candidate-rows.ts'
import { countFound, matching } from './search-numbers.ts'
import { SearchedFeed } from './searched-feed.ts'

/** Words in the index, everything else in our own code: ids by tiers, then one ranking over what the grant shows. */
export class SqliteSearchReader implements SearchReader {
  readonly #reader: Handle
  readonly #pool: ReadPool | undefined
  readonly #sets: RecordSets
  readonly #lastChanges: LastChanges

  constructor({ reader, pool }: ReadDatabases, lastChanges = new LastChanges(pool)) {
    this.#reader = reader
    this.#pool = pool
    this.#lastChanges = lastChanges
    // A thread counts once in a while, and would hold as much as the server itself.
    this.#sets = pool ? new RecordSets(reader) : new RecordSets(reader, 0)
  }

  async search(
    targets: readonly SearchedStream[],
    text: string,
    signal?: RequestSignal,
    counted = false,
  ): Promise<SearchOutcome> {
    try {
      return await this.#search(targets, text, counted, signal)
    } catch (error) {
      // An index was rebuilt while other requests ran. Without a signal the search does not yield, so nothing interferes.
      if (signal && error instanceof Error && /^no such /.test(error.message))
        return this.#search(targets, text, counted)
      throw error
    }
  }

  async #search(
    targets: readonly SearchedStream[],
    text: string,
    counted: boolean,
    signal?: RequestSignal,
  ): Promise<SearchOutcome> {
    const query = readQuery(targets, text)
    const { feeds, building, indexedThrough } = await this.#feeds(targets, query, signal)
    const words = await weigh(query, feeds, signal)
    if (signal && !feeds.every((feed) => feed.isCurrent())) return this.#search(targets, text, counted)
    const rows = new CandidateRows(this.#reader, feeds)
    const chosen = chooseCandidates(query, words, feeds, (places) => rows.times(places))
    const ranking = chosen.ranking
      ? { ...rankedPlaces(chosen.ranking, words, feeds, rows), complete: chosen.complete }
      : await readAll(chosen, words, rows, signal)
    const { isCut } = query
    const numbers = await countFound(ranking, { query, words, feeds, counted, signal })
    const longFields = feeds.flatMap((feed) =>
      feed.longFields().map((field) => ({ stream: feed.target.scope.stream.name, field })),
    )
    const state = { feeds: feeds.length + building, building, indexedThrough }
    return { ...ranking, ...numbers, words, longFields, isCut, ...state }
  }

  async count(targets: readonly SearchedStream[], text: string, signal?: RequestSignal, found = 0): Promise<number> {
    const query = readQuery(targets, text)
    const { feeds } = await this.#feeds(targets, query, signal)
    const documents = feeds.reduce((sum, feed) => sum + feed.documents, 0)
    if (this.#pool && documents > MAX_INLINE_ROWS)
      return this.#pool.run({ kind: 'search_count', targets, text, found }, signal)
    const [meant, any] = matching(query, await weigh(query, feeds, signal))
    const count = (asked: string | null) => feeds.reduce((sum, feed) => sum + feed.count(asked), 0)
    const matches = count(meant)
    return matches >= found ? matches : count(any)
  }

  async #feeds(targets: readonly SearchedStream[], query: Query, signal: RequestSignal | undefined) {
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
        await signal?.yieldIfDue()
        const changedAt = await this.#lastChanges.at(rows, feed, signal)
        if (changedAt !== undefined) captured.push(changedAt)
        const search = { target, rows, query, signal, sets: this.#sets }
        const searched = await SearchedFeed.open(this.#reader, search, feed)
        if (searched) feeds.push(searched)
        else if (feed.recordCount > 0) building++
      }
    }
    return { feeds, building, indexedThrough: captured.length === 0 ? undefined : Math.max(...captured) }
  }
}

/** The index alone ranked these, so only the records that are shown are read. */
function rankedPlaces(
  ranking: readonly RankedPlace[],
  words: readonly WeightedWord[],
  feeds: readonly SearchedFeed[],
  rows: CandidateRows,
): Pick<SearchOutcome, 'found' | 'read'> {
  const places = new Map<RankedRecord, RankedPlace>()
  for (const place of ranking)
    places.set({ target: feeds[place.feed]!.target, number: place.id, tier: place.tier }, place)
  return {
    found: [...places.keys()],
    read: (found) => {
      const scanner = new MatchFinder(words)
      const documents = rows.documents(found.map((one) => places.get(one)!))
      return found.flatMap((one) => {
        const document = documents.get(places.get(one)!)
        return document ? [shown(one.tier, document, scanner)] : []
      })
    },
  }
}

/** Reads the texts of all candidates, if only the texts can rank them. */
async function readAll(
  { list, averages, complete }: Candidates,
  words: readonly WeightedWord[],
  rows: CandidateRows,
  signal: RequestSignal | undefined,
): Promise<Pick<SearchOutcome, 'found' | 'read' | 'complete'>> {
  await signal?.yieldIfDue()
  const ranking = new Ranking<RankableRow>(words)
  let left = 0
  for (const document of rows.documents(list).values()) {
    if (document.row.data === null) await signal?.yieldIfDue()
    const content = document.content()
    if (content) ranking.add(document, document.fields, content.texts, content.authoredAt)
    else left++
  }
  rows.refill()
  await signal?.yieldIfDue()
  const scanner = new MatchFinder(words)
  const found = ranking
    .ranked(averages)
    .slice(0, CANDIDATE_LIMITS.cap)
    .map(({ document, scans, tier }) => shown(tier, document, scanner, document.row.data === null ? undefined : scans))
  return { found, read: (some) => some as FoundRecord[], complete: complete && left === 0 }
}

const NOTHING: FieldScan = { length: 0, hits: [] }

/**
 * A hit that reads its texts when it is rendered, and finds the words in what it then reads: a large record may have
 * changed since it was ranked. Of one that has gone, nothing is shown but its place.
 */
function shown(
  tier: FoundRecord['tier'],
  { target, row, rows, content }: RankableRow,
  scanner: MatchFinder,
  known?: readonly FieldScan[],
): FoundRecord {
  let last: { readonly content: RecordContent; readonly scans: readonly FieldScan[] } | undefined
  return {
    ...{ target, tier, number: row.id, connectionId: rows.connectionOf(row.feed), key: row.key },
    get texts() {
      return content()?.texts ?? target.fields.map(() => '')
    },
    get scans() {
      const read = content()
      if (!read) return target.fields.map(() => NOTHING)
      if (last?.content !== read) last = { content: read, scans: known ?? read.texts.map((text) => scanner.scan(text)) }
      return last.scans
    },
    emittedAt: () => rows.emittedAt(row),
    members: () => rows.members(row, content()?.data ?? {}),
  }
}

function readQuery(targets: readonly SearchedStream[], text: string): Query {
  return parseQuery(text, [...new Set(targets.flatMap(({ fields }) => fields))])
}

async function weigh(
  query: Query,
  feeds: readonly SearchedFeed[],
  signal: RequestSignal | undefined,
): Promise<WeightedWord[]> {
  const documents = feeds.map((feed) => feed.documents)
  const ask = (word: string) => askLargestFirst(documents, (feed) => feeds[feed]!.wordFrequency(word))
  const scope = { documents: documents.reduce((sum, count) => sum + count, 0), frequencies: ask }
  const words: WeightedWord[] = []
  for (const word of soughtWords(query)) {
    await signal?.yieldIfDue()
    words.push(weighWord(word, scope))
  }
  return words
}
