import type { SearchedStream } from '../../../search/search-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import type { FeedSets, SearchedFeed as NeutralFeed } from '../../words/searched-feed.ts'
import type { Handle } from '../engine/database.ts'
import { type Feed, feedsInScope, streamTable } from '../records/feeds.ts'
import { RecordRows } from '../records/record-rows.ts'
import type { Limit, RecordSets } from '../records/record-set.ts'
import { filterConditions, recordConditions } from '../records/scope-sql.ts'
import { editionsOf } from './edition.ts'

/** One feed that a search reads. */
export interface SearchedFeed extends NeutralFeed {
  readonly rows: RecordRows
  readonly feed: Feed
}

export interface SearchedFeeds {
  readonly list: readonly SearchedFeed[]
  /** Number of feeds that the scopes include, whether or not anything was ever written to them. */
  readonly granted: number
  /** Number of feeds with visible records whose index is incomplete. */
  readonly building: number
}

export function searchedFeeds(handle: Handle, targets: readonly SearchedStream[]): SearchedFeeds {
  const list: SearchedFeed[] = []
  let building = 0
  for (const [target, stream] of targets.entries()) {
    const { scope } = stream
    const table = streamTable(handle, scope.subjectId, scope.connectorKey, scope.stream.name)
    if (!table) continue
    const feeds = feedsInScope(handle, scope, table)
    const rows = new RecordRows(handle, scope, table, feeds)
    const editions = editionsOf(
      handle,
      feeds.map(({ feed }) => feed),
    )
    for (const feed of feeds) {
      const edition = editions.get(feed.feed)
      if (edition && edition.through === null) list.push({ target, stream, rows, feed, edition })
      else if (hasVisible(rows, feed)) building++
    }
  }
  const granted = targets.reduce((sum, { scope }) => sum + scope.connections.length, 0)
  return { list, granted, building }
}

/** An answer must not reveal that a feed has hidden records. */
function hasVisible(rows: RecordRows, { feed }: Feed): boolean {
  const { sql, values } = joinConditions(recordConditions(rows.scope, rows.table.layout))
  const one = `select 1 from ${rows.table.table} r where r.feed = ? and ${sql} limit 1`
  return rows.handle.get(one, feed, ...values) !== undefined
}

/** The grant's limits on single records. They are on times and keys, which always have an index. */
export function grantLimits({ rows }: SearchedFeed): Limit[] {
  return recordConditions(rows.scope, rows.table.layout).map((limit) => ({ ...limit, isIndexed: true }))
}

/** The request's conditions on single records. */
export function requestLimits({ stream, rows }: SearchedFeed, isWanted: (field: string) => boolean): Limit[] {
  const { layout } = rows.table
  const wanted = stream.conditions.filter(({ field }) => isWanted(field))
  return filterConditions(wanted, layout).map((limit, at) => ({
    ...limit,
    isIndexed: fieldOf(layout, wanted[at]!.field)?.indexed === true,
  }))
}

/** Reads the sets of a search from the records. */
export function feedSets(sets: RecordSets): FeedSets<SearchedFeed> {
  return {
    granted: (feed) => {
      const limits = grantLimits(feed)
      return { only: sets.get(feed.rows, feed.feed, limits), name: sets.nameOf(feed.feed, limits) }
    },
    requested: (feed, isWanted) => {
      const limits = requestLimits(feed, isWanted)
      return limits.length === 0 ? undefined : sets.get(feed.rows, feed.feed, limits)
    },
  }
}
