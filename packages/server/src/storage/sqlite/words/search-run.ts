import type { Statement } from 'better-sqlite3'
import { parseQuery } from '../../../search/query/query.ts'
import { rankMatches } from '../../../search/ranking/rank-matches.ts'
import type { PageRequest, SearchedStream, SearchOutcome } from '../../../search/search-store.ts'
import type { ExampleWords } from '../../contract.ts'
import { joinConditions } from '../../records/conditions.ts'
import { requestFilter } from '../../words/request-filter.ts'
import { countWords, foundWord, limitsTime, nothingFound, targetTotals } from '../../words/search-counts.ts'
import type { FeedSets } from '../../words/searched-feed.ts'
import type { SharedColumns } from '../../words/shared-columns.ts'
import type { Handle } from '../engine/database.ts'
import { RecordSets } from '../records/record-set.ts'
import { HitReader } from './hit-reader.ts'
import { hasLongTexts } from './long-texts.ts'
import { OpenIndexes } from './open-indexes.ts'
import { type CutField, searchPlan } from './search-plan.ts'
import { feedSets, grantLimits, requestLimits, type SearchedFeed } from './searched-feeds.ts'

/** The result of a search. The main thread adds the freshness. */
export type SearchResult = Omit<SearchOutcome, 'indexedThrough'>

/** If fewer records have all words, the answer says how many have each word. */
const FEW_WITH_ALL_WORDS = 3

/**
 * Runs searches in one thread, each in one read transaction, so that the index and the records are from the same
 * moment.
 */
export class SearchRunner {
  readonly #handle: Handle
  readonly #sets: FeedSets<SearchedFeed>
  readonly #begin: Statement
  readonly #commit: Statement
  readonly #indexes: OpenIndexes

  constructor(handle: Handle, shared?: SharedColumns) {
    this.#handle = handle
    this.#sets = feedSets(new RecordSets(handle))
    this.#indexes = new OpenIndexes(handle, this.#sets, shared)
    this.#begin = handle.db.prepare('begin')
    this.#commit = handle.db.prepare('commit')
  }

  /** `targets` is called inside the transaction. */
  run(targets: () => readonly SearchedStream[], page: PageRequest, check: () => void): SearchResult {
    this.#begin.run()
    try {
      this.#handle.noteWrite()
      return this.#run(targets(), page, check)
    } finally {
      this.#commit.run()
    }
  }

  /**
   * Loads the documents of the word index, so that the first search does not have to. Reads no records. Returns some of
   * the indexed words.
   */
  loadIndex(): ExampleWords {
    this.#begin.run()
    try {
      return this.#indexes.load()
    } finally {
      this.#commit.run()
    }
  }

  /** Reads what a search of these targets needs and what was written since the last one. Ranks nothing. */
  readAhead(targets: readonly (() => readonly SearchedStream[])[]): void {
    this.#begin.run()
    try {
      this.#handle.noteWrite()
      for (const list of targets) this.#indexes.open(searchPlan(this.#handle, list()))
    } finally {
      this.#commit.run()
    }
  }

  #run(targets: readonly SearchedStream[], page: PageRequest, check: () => void): SearchResult {
    const plan = searchPlan(this.#handle, targets)
    const { feeds } = plan
    const query = parseQuery(page.text, plan.fields, targets.some(limitsTime))
    const about = { feeds: feeds.granted, building: feeds.building, isCut: query.isCut }
    const opened = this.#indexes.open(plan)
    if (!opened) return { ...nothingFound(query, targets, feeds.building), ...about }
    const { index, scope } = opened
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
      longFields: plan.cut.filter((field) => this.#isCut(field)).map(({ name, field }) => ({ stream: name, field })),
    }
  }

  #isCut({ feed, field }: CutField): boolean {
    const limits = joinConditions([...grantLimits(feed), ...requestLimits(feed, () => true)])
    return hasLongTexts(this.#handle, feed.feed.feed, field, feed.rows.table.table, limits)
  }
}
