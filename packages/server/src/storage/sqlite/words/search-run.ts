import type { Statement } from 'better-sqlite3'
import { parseQuery } from '../../../search/query/query.ts'
import type { IndexScope } from '../../../search/ranking/index-scope.ts'
import { OpenScope } from '../../../search/ranking/open-scope.ts'
import { rankMatches } from '../../../search/ranking/rank-matches.ts'
import type { PageRequest, SearchedStream, SearchOutcome } from '../../../search/search-store.ts'
import type { IndexSnapshot } from '../../../search/segments/index-snapshot.ts'
import { joinConditions } from '../../records/conditions.ts'
import { requestFilter } from '../../words/request-filter.ts'
import { countWords, foundWord, limitsTime, targetTotals } from '../../words/search-counts.ts'
import { indexScope } from '../../words/search-scope.ts'
import type { FeedSets } from '../../words/searched-feed.ts'
import type { SharedColumns } from '../../words/shared-columns.ts'
import type { Handle } from '../engine/database.ts'
import { RecordSets } from '../records/record-set.ts'
import { HitReader } from './hit-reader.ts'
import { fieldsWithLongTexts, hasLongTexts } from './long-texts.ts'
import {
  feedSets,
  grantLimits,
  requestLimits,
  type SearchedFeed,
  type SearchedFeeds,
  searchedFeeds,
} from './searched-feeds.ts'
import { WordIndexReader } from './word-index-reader.ts'

/** The result of a search, without the freshness, which the main thread knows. */
export type SearchResult = Omit<SearchOutcome, 'indexedThrough'>

/** Bytes of scopes that one thread keeps. */
const MAX_SCOPE_BYTES = 16 * 1024 * 1024
const MAX_OWNERS = 4
/** If fewer records have all words, the answer says how many have each word. */
const FEW_WITH_ALL_WORDS = 3

/** The feeds, fields and scope of a list of targets. It stays true until anything is written. */
interface SearchPlan {
  readonly feeds: SearchedFeeds
  /** The names of all searched fields. */
  readonly fields: readonly string[]
  /** Fields with texts that are longer than what is indexed, whether or not the grant shows these. */
  readonly cut: readonly CutField[]
  scope: IndexScope | undefined
}

interface CutField {
  readonly feed: SearchedFeed
  /** The stream. */
  readonly name: string
  readonly field: string
}

function searchPlan(handle: Handle, targets: readonly SearchedStream[]): SearchPlan {
  const feeds = searchedFeeds(handle, targets)
  const cut = feeds.list.flatMap((feed) => {
    const known = fieldsWithLongTexts(handle, feed.feed.feed)
    const fields = feed.stream.fields.filter((field) => known.includes(field))
    return fields.map((field) => ({ feed, name: feed.rows.scope.stream.name, field }))
  })
  return { feeds, cut, fields: [...new Set(targets.flatMap(({ fields }) => fields))], scope: undefined }
}

/** Runs searches in one thread, each in one read transaction: index and records are from the same moment. */
export class SearchRunner {
  readonly #handle: Handle
  readonly #shared: SharedColumns | undefined
  readonly #sets: FeedSets<SearchedFeed>
  readonly #begin: Statement
  readonly #commit: Statement
  readonly #indexes = new Map<number, WordIndexReader>()
  readonly #scopes = new Map<string, OpenScope>()
  #lastScope: OpenScope | undefined
  #lastSegments: IndexSnapshot['segments'] | undefined

  constructor(handle: Handle, shared?: SharedColumns) {
    this.#handle = handle
    this.#shared = shared
    this.#sets = feedSets(new RecordSets(handle))
    this.#begin = handle.db.prepare('begin')
    this.#commit = handle.db.prepare('commit')
  }

  /** Reads the targets in the same transaction as everything else. */
  run(targets: () => readonly SearchedStream[], page: PageRequest, check: () => void): SearchResult {
    this.#begin.run()
    try {
      this.#handle.noteWrite()
      return this.#run(targets(), page, check)
    } finally {
      this.#commit.run()
    }
  }

  /** Loads the documents of the word index, so that the first search need not. Reads no record. */
  loadIndex(): void {
    this.#begin.run()
    try {
      const owners = this.#handle.column<number>('select owner from word_owner order by owner limit ?', MAX_OWNERS)
      for (const owner of owners) this.#index(owner).refresh()
    } finally {
      this.#commit.run()
    }
  }

  #run(targets: readonly SearchedStream[], page: PageRequest, check: () => void): SearchResult {
    const plan = this.#handle.cachedWith(targets, () => searchPlan(this.#handle, targets))
    const { feeds } = plan
    const query = parseQuery(page.text, plan.fields, targets.some(limitsTime))
    const about = { feeds: feeds.granted, building: feeds.building, isCut: query.isCut }
    const owner = feeds.list[0]?.edition.owner
    if (owner === undefined) return { ...EMPTY, ...about, totals: targets.map(() => 0) }
    const index = this.#index(owner).refresh()
    const scope = this.#scope(owner, this.#indexScope(plan), index)
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

  #index(owner: number): WordIndexReader {
    const known = this.#indexes.get(owner) ?? new WordIndexReader(this.#handle, owner, this.#shared)
    this.#indexes.delete(owner)
    this.#indexes.set(owner, known)
    if (this.#indexes.size > MAX_OWNERS) this.#indexes.delete(this.#indexes.keys().next().value!)
    return known
  }

  /** A set of single records is not kept here, because it may be large. */
  #indexScope(plan: SearchPlan): IndexScope {
    if (plan.scope) return plan.scope
    const made = indexScope(plan.feeds.list, this.#sets)
    if ([...made.editions.values()].every(({ only }) => only === undefined)) plan.scope = made
    return made
  }

  /** The least recently used scopes are dropped for space. */
  #scope(owner: number, scope: IndexScope, index: WordIndexReader): OpenScope {
    const name = `${owner}\n${scope.name}`
    const known = this.#scopes.get(name)
    const opened = known ?? new OpenScope(scope)
    if (known && known === this.#lastScope && index.segments === this.#lastSegments) return known
    this.#lastScope = opened
    this.#lastSegments = index.segments
    opened.update(index)
    this.#scopes.delete(name)
    let bytes = opened.bytes
    for (const other of this.#scopes.values()) bytes += other.bytes
    for (const [oldest, other] of this.#scopes) {
      if (bytes <= MAX_SCOPE_BYTES) break
      this.#scopes.delete(oldest)
      bytes -= other.bytes
    }
    this.#scopes.set(name, opened)
    return opened
  }

  #isCut({ feed, field }: CutField): boolean {
    const limits = joinConditions([...grantLimits(feed), ...requestLimits(feed, () => true)])
    return hasLongTexts(this.#handle, feed.feed.feed, field, feed.rows.table.table, limits)
  }
}

const EMPTY = {
  ...{ found: [], hasMore: false, total: 0, words: [], wordCounts: undefined, longFields: [] },
}
