import { LruCache } from '../../../lib/caches/lru-cache.ts'
import { type Condition, joinConditions } from '../../records/conditions.ts'
import { RecordSet } from '../../records/record-set.ts'
import {
  type FeedSets,
  type SearchedFeed as NeutralFeed,
  needsGrantedSet,
  timeColumnOf,
} from '../../words/searched-feed.ts'
import type { Feed } from '../records/feeds.ts'
import type { RecordRows } from '../records/record-rows.ts'
import { filterConditions } from '../records/scope-sql.ts'

/** One feed that a search reads. */
export interface SearchedFeed extends NeutralFeed {
  readonly rows: RecordRows
  readonly feed: Feed
}

/** Max. cached sets. A set is valid until its feed changes. */
const MAX_SETS = 50

/** Reads the sets of a search in advance, because the ranking itself cannot wait. */
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
