import { LruCache } from '../../../lib/caches/lru-cache.ts'
import { parseQuery } from '../../../search/query/query.ts'
import type { IndexScope, MatchFilter } from '../../../search/ranking/index-scope.ts'
import { OpenScope } from '../../../search/ranking/open-scope.ts'
import { type RankedPage, rankMatches } from '../../../search/ranking/rank-matches.ts'
import type { PageRequest, SearchedStream, SearchOutcome } from '../../../search/search-store.ts'
import { type ExampleWords, NO_EXAMPLES } from '../../contract.ts'
import { exampleWords } from '../../words/example-words.ts'
import { requestFilter } from '../../words/request-filter.ts'
import { countWords, foundWord, limitsTime, nothingFound, targetTotals } from '../../words/search-counts.ts'
import { indexScope } from '../../words/search-scope.ts'
import type { SharedColumns } from '../../words/shared-columns.ts'
import type { Session } from '../engine/session.ts'
import type { Streams } from '../records/feeds.ts'
import { LargeRecord } from '../records/record-rows.ts'
import { HitReader } from './hit-reader.ts'
import { type OwnerState, ownerState, SearchPlan } from './search-plan.ts'
import { RecordSets, type SearchedFeed } from './searched-feeds.ts'
import { termsOf } from './segment-rows.ts'
import { type IndexSize, WordIndexReader } from './word-index-reader.ts'

const MAX_SCOPES = 20
const MAX_PLANS = 64
const MAX_OWNERS = 8
/** If fewer records have all words, the answer says how many have each word. */
const FEW_WITH_ALL_WORDS = 3

/**
 * Reads the targets of a search when they are needed. Targets with the same name are equal while the owner's epoch is
 * the same.
 */
export interface TargetSource {
  readonly name: object | string
  read(session: Session, subject: number, epoch: number): Promise<readonly SearchedStream[]>
}

/** Runs searches in one thread, each in one snapshot, so that the index and the records are from the same moment. */
export class SearchRunner {
  readonly #streams: Streams
  readonly #shared: SharedColumns | undefined
  readonly #max: IndexSize | undefined
  readonly #sets = new RecordSets()
  readonly #plans = new LruCache<object | string, SearchPlan>(MAX_PLANS)
  readonly #indexes = new Map<number, WordIndexReader>()
  readonly #scopes = new Map<string, OpenScope>()
  /** The scope of the last search, because looking it up by its long name takes a while. */
  #last: { readonly scope: IndexScope; readonly open: OpenScope } | undefined

  /** `max`: larger indexes are not searched. */
  constructor(streams: Streams, shared?: SharedColumns, max?: IndexSize) {
    this.#streams = streams
    this.#shared = shared
    this.#max = max
  }

  /**
   * Searches outside of a transaction if everything that is ranked is in memory. The only statement reads the hits, and
   * tells whether the ranked data is still current. Undefined if it is not. Then run the search in a snapshot.
   */
  async tryRun(
    session: Session,
    subject: number,
    source: TargetSource,
    page: PageRequest,
    check: () => void,
  ): Promise<SearchOutcome | undefined> {
    const plan = this.#plans.get(source.name)
    const index = this.#indexes.get(subject)
    if (!plan || !index) return
    const { state } = plan
    if (!index.isAt(state.words)) return
    const targets = await source.read(session, subject, state.epoch)
    const warm = plan.warm(session)
    if (!warm) return
    const { feeds, scope } = warm
    const ranked = index.tryRun(this.#ranking(index, { subject, targets, scope, filter: undefined, page, check }))
    try {
      return ranked && (await this.#outcome(session, subject, { plan, state, targets, feeds, page }, ranked))
    } catch (error) {
      if (error instanceof LargeRecord) return
      throw error
    }
  }

  /** Call inside a snapshot. Undefined if the index is too large for this thread. */
  async run(
    session: Session,
    subject: number,
    source: TargetSource,
    page: PageRequest,
    check: () => void,
  ): Promise<SearchOutcome | undefined> {
    const before = this.#plans.get(source.name)
    const state = await ownerState(session, subject, before?.feeds ?? [])
    const targets = await source.read(session, subject, state.epoch)
    const plan = before?.isOf(state) ? before : await this.#plan(session, subject, source.name, targets, state)
    // The state contains the versions of the feeds that the previous plan named. A new plan may name others.
    if (before === plan) plan.state = state
    else plan.state = await ownerState(session, subject, plan.feeds)
    const feeds = plan.searched(session, plan.state)
    const found = { plan, state: plan.state, targets, feeds, page }
    if (feeds.length === 0) {
      const query = parsed(page, targets)
      const about = await aboutOf(session, found, query.isCut)
      return { ...nothingFound(query, targets, about.building), ...about }
    }
    const index = this.#index(subject)
    if (!(await index.refresh(session, state.words, this.#max))) return
    const sets = await this.#sets.read(feeds)
    const [scope, filter] = [indexScope(feeds, sets), requestFilter(feeds, sets)]
    const ranking = this.#ranking(index, { subject, targets, scope, filter, page, check })
    return this.#outcome(session, subject, found, await index.run(session, ranking))
  }

  /**
   * Loads the documents of all indexes, so that the first search does not have to. Reads no records. Call inside a
   * snapshot. Returns some words of the largest segment.
   */
  async loadIndex(session: Session): Promise<ExampleWords> {
    const sql = `select subject, epoch from word_owner order by subject limit ${MAX_OWNERS}`
    let largest: { subject: number; segment: number; documents: number } | undefined
    for (const { subject, epoch } of await session.all<{ subject: number; epoch: number }>(sql)) {
      const index = this.#index(subject)
      await index.refresh(session, epoch)
      for (const { segment, columns } of index.segments)
        if (columns.count > (largest?.documents ?? 0)) largest = { subject, segment, documents: columns.count }
    }
    if (!largest) return NO_EXAMPLES
    return exampleWords(await termsOf(session, largest.subject, largest.segment), largest.documents)
  }

  /** Returns a function that only computes and never waits. */
  #ranking(index: WordIndexReader, ranking: Ranking): () => Ranked {
    const { targets, filter, page, check } = ranking
    const query = parsed(page, targets)
    const scope = this.#scope(ranking).update(index)
    const { limit, after } = page
    return () => {
      const ranked = rankMatches(index, scope, { query, filter, limit, after, check })
      const isFew = ranked.withAllWords < FEW_WITH_ALL_WORDS
      const words = ranked.words.map((word) => foundWord(word, index, scope))
      const wordCounts = isFew ? countWords(ranked, index, scope, filter) : undefined
      return { ranked, words, wordCounts, isCut: query.isCut }
    }
  }

  async #outcome(
    session: Session,
    subject: number,
    found: Found,
    { ranked, words, wordCounts, isCut }: Ranked,
  ): Promise<SearchOutcome | undefined> {
    const { plan, state, targets, feeds, page } = found
    const reader = new HitReader(session, subject, ranked, page.highlight ?? true)
    const hits = await reader.read(ranked.found, feeds, plan.names, state)
    return (
      hits && {
        ...(await aboutOf(session, found, isCut)),
        found: hits,
        hasMore: ranked.hasMore,
        total: ranked.total,
        totals: targetTotals(targets, feeds, ranked),
        ...{ words, wordCounts },
        longFields: await plan.longFields(session, feeds),
      }
    )
  }

  async #plan(
    session: Session,
    subject: number,
    name: object | string,
    targets: readonly SearchedStream[],
    state: OwnerState,
  ): Promise<SearchPlan> {
    const plan = await SearchPlan.make(session, subject, this.#streams, targets, state)
    return this.#plans.set(name, plan)
  }

  #index(subject: number): WordIndexReader {
    const known = this.#indexes.get(subject) ?? new WordIndexReader(subject, this.#shared)
    this.#indexes.delete(subject)
    this.#indexes.set(subject, known)
    if (this.#indexes.size > MAX_OWNERS) this.#indexes.delete(this.#indexes.keys().next().value!)
    return known
  }

  #scope({ subject, scope }: Ranking): OpenScope {
    if (this.#last?.scope === scope) return this.#last.open
    const name = `${subject}\n${scope.name}`
    const known = this.#scopes.get(name) ?? new OpenScope(scope)
    this.#scopes.delete(name)
    this.#scopes.set(name, known)
    if (this.#scopes.size > MAX_SCOPES) this.#scopes.delete(this.#scopes.keys().next().value!)
    this.#last = { scope, open: known }
    return known
  }
}

interface Found {
  readonly plan: SearchPlan
  readonly state: OwnerState
  readonly targets: readonly SearchedStream[]
  readonly feeds: readonly SearchedFeed[]
  readonly page: PageRequest
}

interface Ranking extends Pick<Found, 'targets' | 'page'> {
  readonly subject: number
  readonly scope: IndexScope
  readonly filter: MatchFilter | undefined
  readonly check: () => void
}

interface Ranked extends Pick<SearchOutcome, 'words' | 'wordCounts' | 'isCut'> {
  readonly ranked: RankedPage
}

export function parsed({ text }: PageRequest, targets: readonly SearchedStream[]) {
  const fields = [...new Set(targets.flatMap((target) => target.fields))]
  return parseQuery(text, fields, targets.some(limitsTime))
}

async function aboutOf(session: Session, { plan, feeds }: Found, isCut: boolean) {
  const indexedThrough = await plan.freshness(session, feeds)
  return { feeds: plan.granted, building: plan.building, isCut, indexedThrough }
}
