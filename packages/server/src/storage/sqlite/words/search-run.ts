import { parseQuery } from '../../../search/query/query.ts'
import type { IndexScope } from '../../../search/ranking/index-scope.ts'
import { OpenScope } from '../../../search/ranking/open-scope.ts'
import { rankMatches } from '../../../search/ranking/rank-matches.ts'
import type { LongField, PageRequest, SearchedStream, SearchOutcome } from '../../../search/search-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { requestFilter } from '../../words/request-filter.ts'
import { countWords, foundWord, limitsTime, targetTotals } from '../../words/search-counts.ts'
import { indexScope } from '../../words/search-scope.ts'
import type { FeedSets } from '../../words/searched-feed.ts'
import type { Handle } from '../engine/database.ts'
import { RecordSets } from '../records/record-set.ts'
import { HitReader } from './hit-reader.ts'
import { hasLongTexts } from './long-texts.ts'
import { feedSets, grantLimits, requestLimits, type SearchedFeed, searchedFeeds } from './searched-feeds.ts'
import type { SharedColumns } from './shared-columns.ts'
import { WordIndexReader } from './word-index-reader.ts'

/** The result of a search, without the freshness, which the main thread knows. */
export type SearchResult = Omit<SearchOutcome, 'indexedThrough'>

/** Bytes of scopes that one thread keeps. */
const MAX_SCOPE_BYTES = 16 * 1024 * 1024
const MAX_OWNERS = 4
/** If fewer records have all words, the answer says how many have each word. */
const FEW_WITH_ALL_WORDS = 3

/** Runs searches in one thread, each in one read transaction: index and records are from the same moment. */
export class SearchRunner {
  readonly #handle: Handle
  readonly #shared: SharedColumns | undefined
  readonly #sets: FeedSets<SearchedFeed>
  readonly #indexes = new Map<number, WordIndexReader>()
  readonly #scopes = new Map<string, OpenScope>()

  constructor(handle: Handle, shared?: SharedColumns) {
    this.#handle = handle
    this.#shared = shared
    this.#sets = feedSets(new RecordSets(handle))
  }

  run(targets: readonly SearchedStream[], page: PageRequest, check: () => void): SearchResult {
    this.#handle.db.exec('begin')
    try {
      return this.#run(targets, page, check)
    } finally {
      this.#handle.db.exec('commit')
    }
  }

  #run(targets: readonly SearchedStream[], page: PageRequest, check: () => void): SearchResult {
    const fields = [...new Set(targets.flatMap((target) => target.fields))]
    const query = parseQuery(page.text, fields, targets.some(limitsTime))
    const feeds = searchedFeeds(this.#handle, targets)
    const about = { feeds: feeds.granted, building: feeds.building, isCut: query.isCut }
    const owner = feeds.list[0]?.edition.owner
    if (owner === undefined) return { ...EMPTY, ...about, totals: targets.map(() => 0) }
    const index = this.#index(owner).refresh()
    const scope = this.#scope(owner, indexScope(feeds.list, this.#sets)).update(index)
    const filter = requestFilter(feeds.list, this.#sets)
    const { limit, after, highlight = true } = page
    const ranked = rankMatches(index, scope, { query, filter, limit, after, check })
    return {
      ...about,
      found: new HitReader(this.#handle, ranked, highlight).read(ranked.found, feeds.list),
      hasMore: ranked.hasMore,
      total: ranked.total,
      totals: targetTotals(targets, feeds.list, ranked),
      words: ranked.words.map((word) => foundWord(word, index, scope)),
      wordCounts: ranked.withAllWords < FEW_WITH_ALL_WORDS ? countWords(ranked, index, scope, filter) : undefined,
      longFields: this.#longFields(feeds.list),
    }
  }

  #index(owner: number): WordIndexReader {
    const known = this.#indexes.get(owner) ?? new WordIndexReader(this.#handle, owner, this.#shared)
    this.#indexes.delete(owner)
    this.#indexes.set(owner, known)
    if (this.#indexes.size > MAX_OWNERS) this.#indexes.delete(this.#indexes.keys().next().value!)
    return known
  }

  /** The least recently used scopes are dropped for space. */
  #scope(owner: number, scope: IndexScope): OpenScope {
    const name = `${owner}\n${scope.name}`
    const known = this.#scopes.get(name) ?? new OpenScope(scope)
    this.#scopes.delete(name)
    let bytes = known.bytes
    for (const other of this.#scopes.values()) bytes += other.bytes
    for (const [oldest, other] of this.#scopes) {
      if (bytes <= MAX_SCOPE_BYTES) break
      this.#scopes.delete(oldest)
      bytes -= other.bytes
    }
    this.#scopes.set(name, known)
    return known
  }

  #longFields(feeds: readonly SearchedFeed[]): LongField[] {
    return feeds.flatMap((feed) => {
      const limits = joinConditions([...grantLimits(feed), ...requestLimits(feed, () => true)])
      return feed.stream.fields
        .filter((field) => hasLongTexts(this.#handle, feed.feed.feed, field, feed.rows.table.table, limits))
        .map((field) => ({ stream: feed.rows.scope.stream.name, field }))
    })
  }
}

const EMPTY = {
  ...{ found: [], hasMore: false, total: 0, words: [], wordCounts: undefined, longFields: [] },
}
