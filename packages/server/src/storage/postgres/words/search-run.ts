import { parseQuery } from '../../../search/query/query.ts'
import type { IndexScope } from '../../../search/ranking/index-scope.ts'
import { OpenScope } from '../../../search/ranking/open-scope.ts'
import { rankMatches } from '../../../search/ranking/rank-matches.ts'
import type { LongField, PageRequest, SearchedStream, SearchOutcome } from '../../../search/search-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { requestFilter } from '../../words/request-filter.ts'
import { countWords, foundWord, limitsTime, targetTotals } from '../../words/search-counts.ts'
import { indexScope } from '../../words/search-scope.ts'
import type { SharedColumns } from '../../words/shared-columns.ts'
import type { Session } from '../engine/session.ts'
import type { Streams } from '../records/feeds.ts'
import { lastChange } from '../records/last-change.ts'
import { HitReader } from './hit-reader.ts'
import { RecordSets, requestLimits, type SearchedFeed, searchedFeeds } from './searched-feeds.ts'
import { type IndexSize, WordIndexReader } from './word-index-reader.ts'

const MAX_SCOPES = 20
const MAX_OWNERS = 8
/** If fewer records have all words, the answer says how many have each word. */
const FEW_WITH_ALL_WORDS = 3

export const EMPTY = { found: [], hasMore: false, total: 0, words: [], wordCounts: undefined, longFields: [] }

/** Runs searches in one thread, each in one snapshot: index and records are from the same moment. */
export class SearchRunner {
  readonly #streams: Streams
  readonly #shared: SharedColumns | undefined
  readonly #max: IndexSize | undefined
  readonly #sets = new RecordSets()
  readonly #indexes = new Map<number, WordIndexReader>()
  readonly #scopes = new Map<string, OpenScope>()

  /** With `max` it searches no larger index. */
  constructor(streams: Streams, shared?: SharedColumns, max?: IndexSize) {
    this.#streams = streams
    this.#shared = shared
    this.#max = max
  }

  /** Undefined if the index is too large for this thread. */
  async run(
    session: Session,
    subject: number,
    targets: readonly SearchedStream[],
    page: PageRequest,
    check: () => void,
  ): Promise<SearchOutcome | undefined> {
    const fields = [...new Set(targets.flatMap((target) => target.fields))]
    const query = parseQuery(page.text, fields, targets.some(limitsTime))
    const feeds = await searchedFeeds(session, subject, this.#streams, targets)
    const indexedThrough = await freshness(feeds.list)
    const about = { feeds: feeds.granted, building: feeds.building, isCut: query.isCut, indexedThrough }
    if (feeds.list.length === 0) return { ...EMPTY, ...about, totals: targets.map(() => 0) }
    const index = this.#index(subject)
    if (!(await index.refresh(session, this.#max))) return
    const sets = await this.#sets.read(feeds.list)
    const filter = requestFilter(feeds.list, sets)
    const scope = this.#scope(subject, indexScope(feeds.list, sets)).update(index)
    const { limit, after, highlight = true } = page
    const { ranked, words, wordCounts } = await index.run(session, () => {
      const ranked = rankMatches(index, scope, { query, filter, limit, after, check })
      const isFew = ranked.withAllWords < FEW_WITH_ALL_WORDS
      const words = ranked.words.map((word) => foundWord(word, index, scope))
      return { ranked, words, wordCounts: isFew ? countWords(ranked, index, scope, filter) : undefined }
    })
    return {
      ...about,
      found: await new HitReader(session, subject, ranked, highlight).read(ranked.found, feeds.list),
      hasMore: ranked.hasMore,
      total: ranked.total,
      totals: targetTotals(targets, feeds.list, ranked),
      ...{ words, wordCounts },
      longFields: await longFields(session, subject, feeds.list),
    }
  }

  #index(subject: number): WordIndexReader {
    const known = this.#indexes.get(subject) ?? new WordIndexReader(subject, this.#shared)
    this.#indexes.delete(subject)
    this.#indexes.set(subject, known)
    if (this.#indexes.size > MAX_OWNERS) this.#indexes.delete(this.#indexes.keys().next().value!)
    return known
  }

  #scope(subject: number, scope: IndexScope): OpenScope {
    const name = `${subject}\n${scope.name}`
    const known = this.#scopes.get(name) ?? new OpenScope(scope)
    this.#scopes.delete(name)
    this.#scopes.set(name, known)
    if (this.#scopes.size > MAX_SCOPES) this.#scopes.delete(this.#scopes.keys().next().value!)
    return known
  }
}

async function freshness(feeds: readonly SearchedFeed[]): Promise<number | undefined> {
  const captured: number[] = []
  for (const { rows, feed } of feeds) {
    const at = await lastChange(rows, feed)
    if (at !== undefined) captured.push(at)
  }
  return captured.length === 0 ? undefined : Math.max(...captured)
}

async function longFields(session: Session, subject: number, feeds: readonly SearchedFeed[]): Promise<LongField[]> {
  const known = `select distinct feed, field from search_cut where subject = ? and feed = any(?::bigint[])`
  const list = feeds.map(({ feed }) => feed.feed)
  const cut = await session.all<{ feed: number; field: string }>(known, subject, list)
  const found: LongField[] = []
  for (const feed of cut.length === 0 ? [] : feeds) {
    const limits = joinConditions([feed.rows.limits, ...requestLimits(feed, () => true)])
    const sql = `select 1 from search_cut c join record r on r.subject = c.subject and r.feed = c.feed and r.id = c.record
      where c.subject = ? and c.feed = ? and c.field = ? and ${limits.sql} limit 1`
    for (const field of feed.stream.fields) {
      if (!cut.some((one) => one.feed === feed.feed.feed && one.field === field)) continue
      if (await session.get(sql, subject, feed.feed.feed, field, ...limits.values))
        found.push({ stream: feed.rows.scope.stream.name, field })
    }
  }
  return found
}
