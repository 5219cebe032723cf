import type { ReadScope } from '../../../grants/read-scope.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import type { FeedSets, SearchedFeed as NeutralFeed } from '../../words/searched-feed.ts'
import type { Handle } from '../engine/database.ts'
import { type Feed, feedsInScopes, type StreamTable, streamTables } from '../records/feeds.ts'
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
  /** True if all feeds are indexed completely. */
  readonly isComplete: boolean
}

export function searchedFeeds(handle: Handle, targets: readonly SearchedStream[]): SearchedFeeds {
  const list: SearchedFeed[] = []
  let building = 0
  const all = targetFeeds(handle, targets)
  const numbers = all.flatMap(({ feeds }) => feeds.map(({ feed }) => feed))
  const editions = editionsOf(handle, numbers)
  for (const { target, rows, feeds } of all) {
    for (const feed of feeds) {
      const edition = editions.get(feed.feed)
      if (edition && edition.through === null) list.push({ target, stream: targets[target]!, rows, feed, edition })
      else if (hasVisible(rows, feed)) building++
    }
  }
  const granted = targets.reduce((sum, { scope }) => sum + scope.connections.length, 0)
  return { list, granted, building, isComplete: list.length === numbers.length }
}

/** A target whose stream has a table, and its feeds. */
interface TargetFeeds {
  /** The position of the target in its list. */
  readonly target: number
  readonly rows: RecordRows
  readonly feeds: readonly Feed[]
}

/**
 * The feeds of a list of targets. Reads them with two statements however many targets there are, because the first
 * search after any write reads them again.
 */
export function targetFeeds(handle: Handle, targets: readonly SearchedStream[]): readonly TargetFeeds[] {
  const known = handle.cachedUntilWrite('target feeds', () => new WeakMap<object, readonly TargetFeeds[]>())
  const kept = known.get(targets)
  if (kept) return kept
  const found = readFeeds(
    handle,
    targets.map(({ scope }) => scope),
  )
  const list = targets.flatMap(({ scope }, target) => {
    const { table, feeds } = found[target]!
    return table ? [{ target, rows: new RecordRows(handle, scope, table, feeds), feeds }] : []
  })
  known.set(targets, list)
  return list
}

interface ScopeFeeds {
  readonly table: StreamTable | undefined
  readonly feeds: readonly Feed[]
}

/** Cached by name, because after a write a client's targets are equal but no longer the same objects. */
function readFeeds(handle: Handle, scopes: readonly ReadScope[]): readonly ScopeFeeds[] {
  const named = scopes.map(({ subjectId, connectorKey, stream, connections }) => [
    ...[subjectId, connectorKey, stream.name, connections],
  ])
  return handle.cachedUntilWrite(JSON.stringify(['feeds of scopes', named]), () => {
    const tables = streamTables(handle, scopes)
    const feeds = feedsInScopes(handle, scopes, tables)
    return tables.map((table, at) => ({ table, feeds: feeds[at]! }))
  })
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
