import { LruCache } from '../../../lib/caches/lru-cache.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import { type Condition, joinConditions } from '../../records/conditions.ts'
import { RecordSet } from '../../records/record-set.ts'
import {
  type FeedSets,
  type SearchedFeed as NeutralFeed,
  needsGrantedSet,
  timeColumnOf,
} from '../../words/searched-feed.ts'
import type { Session } from '../engine/session.ts'
import type { Feed, Streams } from '../records/feeds.ts'
import { RecordRows } from '../records/record-rows.ts'
import { filterConditions } from '../records/scope-sql.ts'
import { editionsOf } from './edition.ts'

/** One feed that a search reads. */
export interface SearchedFeed extends NeutralFeed {
  readonly rows: RecordRows
  readonly feed: Feed
}

export interface SearchedFeeds {
  readonly list: readonly SearchedFeed[]
  /** How many streams of connections the scopes include, whether or not anything was ever written to them. */
  readonly granted: number
  /** Feeds with visible records whose index is not complete. */
  readonly building: number
}

export async function searchedFeeds(
  session: Session,
  subject: number,
  streams: Streams,
  targets: readonly SearchedStream[],
): Promise<SearchedFeeds> {
  const found: { target: number; stream: SearchedStream; rows: RecordRows; feed: Feed }[] = []
  for (const [target, stream] of targets.entries()) {
    const inScope = await streams.inScope(session, subject, stream.scope)
    if (!inScope) continue
    const rows = new RecordRows(session, stream.scope, inScope)
    for (const feed of inScope.feeds) found.push({ target, stream, rows, feed })
  }
  const editions = await editionsOf(
    session,
    subject,
    found.map(({ feed }) => feed.feed),
  )
  const byFeed = new Map(editions.map((edition) => [edition.feed, edition]))
  const list: SearchedFeed[] = []
  let building = 0
  for (const one of found) {
    const edition = byFeed.get(one.feed.feed)
    if (edition && edition.through === null) list.push({ ...one, edition })
    else if (await hasVisible(one.rows, one.feed)) building++
  }
  const granted = targets.reduce((sum, { scope }) => sum + scope.connections.length, 0)
  return { list, granted, building }
}

/** Nothing may tell that a feed has hidden records. */
async function hasVisible({ session, subject, limits }: RecordRows, { feed }: Feed): Promise<boolean> {
  const sql = `select 1 from record r where r.subject = ? and r.feed = ? and ${limits.sql} limit 1`
  return (await session.get(sql, subject, feed, ...limits.values)) !== undefined
}

/** Max. sets that are kept. They hold until their feed changes. */
const MAX_SETS = 50

/** Reads the sets of a search ahead, because ranking does not wait for them. */
export class RecordSets {
  readonly #known = new LruCache<string, RecordSet>(MAX_SETS)

  async read(feeds: readonly SearchedFeed[]): Promise<FeedSets<SearchedFeed>> {
    const granted = new Map<SearchedFeed, { only: RecordSet; name: string }>()
    const requested = new Map<SearchedFeed, RecordSet>()
    for (const feed of feeds) {
      if (needsGrantedSet(feed)) granted.set(feed, await this.#get(feed, feed.rows.limits))
      const limits = requestLimits(feed, (field) => timeColumnOf(feed, field) === undefined)
      if (limits.length > 0) requested.set(feed, (await this.#get(feed, joinConditions(limits))).only)
    }
    return { granted: (feed) => granted.get(feed)!, requested: (feed) => requested.get(feed) }
  }

  async #get({ rows, feed }: SearchedFeed, { sql, values }: Condition): Promise<{ only: RecordSet; name: string }> {
    const name = JSON.stringify([rows.subject, feed.feed, feed.version, sql, values.map(String)])
    const known = this.#known.get(name)
    if (known) return { only: known, name }
    const read = `select r.id from record r where r.subject = ? and r.feed = ? and ${sql}`
    const numbers = await rows.session.column<number>(read, rows.subject, feed.feed, ...values)
    return { only: this.#known.set(name, new RecordSet(numbers)), name }
  }
}

/** The request's conditions on single records. */
export function requestLimits({ stream, rows }: SearchedFeed, isWanted: (field: string) => boolean): Condition[] {
  const wanted = stream.conditions.filter(({ field }) => isWanted(field))
  return filterConditions(wanted, rows.layout)
}
