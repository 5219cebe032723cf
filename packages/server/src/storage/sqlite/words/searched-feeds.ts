import { declaredFields, isTime } from '@pdpp/protocol'
import { includesField } from '../../../grants/read-scope.ts'
import { defaultSort } from '../../../records/paging/sort.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import type { Edition } from '../../words/edition.ts'
import type { Handle } from '../engine/database.ts'
import { type Feed, feedsInScope, streamTable } from '../records/feeds.ts'
import { RecordRows } from '../records/record-rows.ts'
import type { Limit } from '../records/record-set.ts'
import { filterConditions, recordConditions } from '../records/scope-sql.ts'
import { editionOf } from './edition.ts'

/** One feed that a search reads. */
export interface SearchedFeed {
  readonly target: number
  readonly stream: SearchedStream
  readonly rows: RecordRows
  readonly feed: Feed
  readonly edition: Edition
}

export interface SearchedFeeds {
  readonly list: readonly SearchedFeed[]
  /** How many streams of connections the scopes include, whether or not anything was ever written to them. */
  readonly granted: number
  /** Feeds with visible records whose index is not complete. */
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
    for (const feed of feeds) {
      const edition = editionOf(handle, feed.feed)
      if (edition && edition.through === null) list.push({ target, stream, rows, feed, edition })
      else if (hasVisible(rows, feed)) building++
    }
  }
  const granted = targets.reduce((sum, { scope }) => sum + scope.connections.length, 0)
  return { list, granted, building }
}

/** Nothing may tell that a feed has hidden records. */
function hasVisible(rows: RecordRows, { feed }: Feed): boolean {
  const { sql, values } = joinConditions(recordConditions(rows.scope, rows.table.layout))
  const one = `select 1 from ${rows.table.table} r where r.feed = ? and ${sql} limit 1`
  return rows.handle.get(one, feed, ...values) !== undefined
}

/** The grant's limits on single records. A grant limits times and keys, which always have an index. */
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

/** The column of an edition that has the instants of a field, if one has. */
export function timeColumnOf({ edition, rows }: SearchedFeed, field: string): 0 | 1 | undefined {
  const at = edition.spec.times.findIndex((time) => time?.field === field && isTime(time.kind))
  // The field may have been declared anew since the edition was made.
  const kind = declaredFields(rows.scope.stream).get(field)
  return at >= 0 && kind === edition.spec.times[at]!.kind ? (at as 0 | 1) : undefined
}

/** The time that says when a record was written, if the grant includes it: nothing hidden may order an answer. */
export function orderColumn({ edition, rows }: SearchedFeed): 0 | 1 | undefined {
  const { scope } = rows
  const time = scope.stream.consent_time_field
  const field = time != null && includesField(scope.usable, time) ? time : defaultSort(scope)
  const at = edition.spec.times.findIndex((known) => known !== null && known.field === field)
  return at < 0 ? undefined : (at as 0 | 1)
}
