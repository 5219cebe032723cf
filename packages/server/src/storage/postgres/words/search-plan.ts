import type { IndexScope } from '../../../search/ranking/index-scope.ts'
import type { LongField, SearchedStream } from '../../../search/search-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { indexScope } from '../../words/search-scope.ts'
import { type FeedSets, needsGrantedSet } from '../../words/searched-feed.ts'
import type { Session } from '../engine/session.ts'
import type { Feed, StreamInScope, Streams } from '../records/feeds.ts'
import { lastChange } from '../records/last-change.ts'
import { RecordRows } from '../records/record-rows.ts'
import { editionsOf } from './edition.ts'
import { requestLimits, type SearchedFeed } from './searched-feeds.ts'

/**
 * The state of an owner at the moment of a search: the epochs of its sources and words, and the versions of some feeds.
 */
export interface OwnerState {
  readonly epoch: number
  readonly words: number
  readonly feeds: ReadonlyMap<number, Pick<Feed, 'version' | 'capturedAt'>>
  /** The same as one text, in the form of `MARK`. */
  readonly mark: string
}

/** SQL for the versions of some feeds as one text. Uses the aliases of `ownerState`. */
const FEED_MARK = `(select string_agg(concat_ws(':', f.feed, f.version, f.captured_at), ',' order by f.feed)
  from feed f where f.subject = o.subject and f.feed = any(?::bigint[]))`

/** SQL for a state as one text. Takes a list of feeds. */
export const MARK = `concat_ws(' ', o.epoch, coalesce(w.epoch, -1), ${FEED_MARK})`

function markOf({ epoch, words, feeds }: Omit<OwnerState, 'mark'>): string {
  const list = [...feeds].sort(([a], [b]) => a - b).map(([feed, of]) => [feed, of.version, of.capturedAt])
  const texts = list.map((parts) => parts.filter((part) => part !== undefined).join(':'))
  return [epoch, words, ...(texts.length === 0 ? [] : [texts.join()])].join(' ')
}

interface StateRow {
  epoch: number
  words: number
  feed: number | null
  version: number
  captured_at: number | null
}

/** Reads with one statement everything that tells whether a search's data has changed. */
export async function ownerState(session: Session, subject: number, feeds: readonly number[]): Promise<OwnerState> {
  const sql = `select o.epoch, coalesce(w.epoch, -1) words, f.feed, f.version, f.captured_at from owner o
    left join word_owner w on w.subject = o.subject
    left join feed f on f.subject = o.subject and f.feed = any(?::bigint[]) where o.subject = ?`
  const rows = await session.all<StateRow>(sql, feeds, subject)
  const known = rows.flatMap(({ feed, version, captured_at: at }) =>
    feed === null ? [] : [[feed, { version, capturedAt: at ?? undefined }] as const],
  )
  const state = { epoch: rows[0]?.epoch ?? 0, words: rows[0]?.words ?? -1, feeds: new Map(known) }
  return { ...state, mark: markOf(state) }
}

/** For feeds that need no sets of records. */
const NO_SETS: FeedSets<SearchedFeed> = {
  granted: () => {
    throw new Error('This feed needs a set of records.')
  },
  requested: () => undefined,
}

interface PlannedFeed extends Omit<SearchedFeed, 'rows'> {
  readonly inScope: StreamInScope
}

/** The facts about a feed that were read at one of its versions. */
interface KnownOfFeed {
  readonly version: number
  readonly capturedAt: number | undefined
  readonly changedAt: number | undefined
  /** Fields with texts that are too long to be indexed completely, whether or not the grant shows these texts. */
  readonly cut: readonly string[]
}

/** The cached data of a search, besides the index. The records that it shows are not cached. */
export interface WarmSearch {
  readonly feeds: readonly SearchedFeed[]
  readonly scope: IndexScope
}

/** The feeds of a list of targets. Valid until an epoch of the owner changes. */
export class SearchPlan {
  readonly epoch: number
  readonly words: number
  /** The state at the last search. */
  state: OwnerState
  readonly #feeds: readonly PlannedFeed[]
  /** Feeds without a complete index. Any write can change whether they have visible records. */
  readonly #others: readonly Feed[]
  readonly #known = new Map<number, KnownOfFeed>()
  #warm: (WarmSearch & { readonly state: OwnerState; readonly session: Session }) | undefined
  /** Number of feeds that the scopes include, whether or not anything was ever written to them. */
  readonly granted: number
  /** Number of feeds with visible records whose index is incomplete. */
  readonly building: number
  readonly names: ReadonlyMap<string, string>

  private constructor(
    state: OwnerState,
    feeds: readonly PlannedFeed[],
    others: readonly Feed[],
    counts: { granted: number; building: number },
    names: ReadonlyMap<string, string>,
  ) {
    this.epoch = state.epoch
    this.words = state.words
    this.state = state
    this.#feeds = feeds
    this.#others = others
    this.granted = counts.granted
    this.building = counts.building
    this.names = names
  }

  static async make(
    session: Session,
    subject: number,
    streams: Streams,
    targets: readonly SearchedStream[],
    state: OwnerState,
  ): Promise<SearchPlan> {
    const found: Omit<PlannedFeed, 'edition'>[] = []
    for (const [target, stream] of targets.entries()) {
      const inScope = await streams.inScope(session, subject, stream.scope)
      for (const feed of inScope?.feeds ?? []) found.push({ target, stream, inScope: inScope!, feed })
    }
    const numbers = found.map(({ feed }) => feed.feed)
    const editions = new Map((await editionsOf(session, subject, numbers)).map((edition) => [edition.feed, edition]))
    const list: PlannedFeed[] = []
    const others: Feed[] = []
    let building = 0
    for (const one of found) {
      const edition = editions.get(one.feed.feed)
      if (edition && edition.through === null) list.push({ ...one, edition })
      else {
        others.push(one.feed)
        if (await hasVisible(new RecordRows(session, one.stream.scope, one.inScope), one.feed)) building++
      }
    }
    const granted = targets.reduce((sum, { scope }) => sum + scope.connections.length, 0)
    return new SearchPlan(state, list, others, { granted, building }, await connectionNames(session, subject, found))
  }

  get feeds(): number[] {
    return [...this.#feeds.map(({ feed }) => feed.feed), ...this.#others.map(({ feed }) => feed)]
  }

  isOf({ epoch, words, feeds }: OwnerState): boolean {
    if (this.epoch !== epoch || this.words !== words) return false
    return this.#others.every(({ feed, version }) => feeds.get(feed)?.version === version)
  }

  /** The feeds in their current state, read through this session. */
  searched(session: Session, state: OwnerState, readsLarge = true): SearchedFeed[] {
    const rows = new Map<StreamInScope, RecordRows>()
    return this.#feeds.map(({ inScope, feed, ...planned }) => {
      const known = rows.get(inScope) ?? new RecordRows(session, planned.stream.scope, inScope, readsLarge)
      rows.set(inScope, known)
      return { ...planned, feed: { ...feed, ...state.feeds.get(feed.feed) }, rows: known }
    })
  }

  /**
   * Everything that a search needs in the state of the last one, except the index and the records that it shows.
   * Undefined if the search has to read more.
   */
  warm(session: Session): WarmSearch | undefined {
    const known = this.#warm
    if (known?.state === this.state && known.session === session) return known
    const feeds = this.searched(session, this.state, false)
    if (feeds.length === 0 || !this.#isWarm(feeds)) return
    this.#warm = { state: this.state, session, feeds, scope: indexScope(feeds, NO_SETS) }
    return this.#warm
  }

  #isWarm(feeds: readonly SearchedFeed[]): boolean {
    return feeds.every((feed) => {
      const { scope, conditions } = feed.stream
      const isFree = conditions.length === 0 && scope.resources === undefined && !needsGrantedSet(feed)
      return isFree && this.#isKnown(feed) && this.#known.get(feed.feed.feed)!.cut.length === 0
    })
  }

  /** When something that the scopes show was last written. */
  async freshness(session: Session, feeds: readonly SearchedFeed[]): Promise<number | undefined> {
    await this.#look(session, feeds)
    const times = feeds.flatMap(({ feed }) => this.#known.get(feed.feed)?.changedAt ?? [])
    return times.length === 0 ? undefined : Math.max(...times)
  }

  async longFields(session: Session, feeds: readonly SearchedFeed[]): Promise<LongField[]> {
    await this.#look(session, feeds)
    const found: LongField[] = []
    for (const feed of feeds) {
      const cut = this.#known.get(feed.feed.feed)?.cut ?? []
      if (cut.length === 0) continue
      const limits = joinConditions([feed.rows.limits, ...requestLimits(feed, () => true)])
      const sql = `select 1 from search_cut c join record r on r.subject = c.subject and r.feed = c.feed and r.id = c.record
        where c.subject = ? and c.feed = ? and c.field = ? and ${limits.sql} limit 1`
      for (const field of feed.stream.fields.filter((name) => cut.includes(name)))
        if (await session.get(sql, feed.rows.subject, feed.feed.feed, field, ...limits.values))
          found.push({ stream: feed.rows.scope.stream.name, field })
    }
    return found
  }

  #isKnown({ feed }: SearchedFeed): boolean {
    const known = this.#known.get(feed.feed)
    return known?.version === feed.version && known.capturedAt === feed.capturedAt
  }

  /** Reads the facts that are not cached for the current versions. */
  async #look(session: Session, feeds: readonly SearchedFeed[]): Promise<void> {
    const changed = feeds.filter((feed) => !this.#isKnown(feed))
    if (changed.length === 0) return
    const sql = 'select distinct feed, field from search_cut where subject = ? and feed = any(?::bigint[])'
    const numbers = changed.map(({ feed }) => feed.feed)
    const cut = await session.all<{ feed: number; field: string }>(sql, changed[0]!.rows.subject, numbers)
    for (const { rows, feed } of changed) {
      const { version, capturedAt } = feed
      const fields = cut.filter((one) => one.feed === feed.feed).map(({ field }) => field)
      const changedAt = await lastChange(rows, feed)
      this.#known.set(feed.feed, { version, capturedAt, changedAt, cut: fields })
    }
  }
}

/** An answer must not reveal that a feed has hidden records. */
async function hasVisible({ session, subject, limits }: RecordRows, { feed }: Feed): Promise<boolean> {
  const sql = `select 1 from record r where r.subject = ? and r.feed = ? and ${limits.sql} limit 1`
  return (await session.get(sql, subject, feed, ...limits.values)) !== undefined
}

async function connectionNames(
  session: Session,
  subject: number,
  feeds: readonly { readonly feed: Feed }[],
): Promise<Map<string, string>> {
  const sql = `select connection_id, display_name from connection
    where subject = ? and connection_id = any(?::text[]) and display_name is not null`
  const ids = [...new Set(feeds.map(({ feed }) => feed.connectionId))]
  const rows = await session.all<{ connection_id: string; display_name: string }>(sql, subject, ids)
  return new Map(rows.map((row) => [row.connection_id, row.display_name]))
}
