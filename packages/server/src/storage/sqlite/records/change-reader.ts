import type { ChangeCount, ChangePage, ChangeRange, ChangesQuery } from '../../../records/record-store.ts'
import { touchesSql } from '../../records/change-mask.ts'
import { type Condition, joinConditions } from '../../records/conditions.ts'
import { BITS_PER_PART } from '../../records/layout.ts'
import type { Feed } from './feeds.ts'
import { LISTED_DATA } from './record-brief.ts'
import type { RecordRow, RecordRows } from './record-rows.ts'
import { recordConditions, tombstoneConditions } from './scope-sql.ts'

interface ChangeRow extends RecordRow {
  version: number
  number: number
  /** Set if the record is no longer visible. */
  left_key: string | null
  left_at: number | null
}

/**
 * Changes of the fields that a scope shows, feed by feed in order of version. Each record appears once, at its last
 * visible change up to the horizon. A record that changes again beyond the horizon moves to the next walk, so no change
 * is lost or repeated.
 */
export function readChanges(rows: RecordRows, query: ChangesQuery): ChangePage {
  const changes: ChangePage['changes'][number][] = []
  let bytes = 0
  for (const feed of rows.feeds) {
    const horizon = query.horizon.find((position) => position.feed === feed.feed)?.version
    const since = query.since.find((position) => position.feed === feed.feed)?.version ?? 0
    if (horizon === undefined || since >= horizon) continue
    for (const row of selectChanges(rows, feed, since, horizon, query.limit - changes.length + 1)) {
      if (changes.length === query.limit || bytes > query.maxBytes) return { changes, hasMore: true }
      const at = { feed: feed.feed, version: row.version }
      if (row.left_key === null) {
        const record = rows.toListed(row)
        bytes += record.json.length
        changes.push({ record, at })
      } else {
        const tombstone = {
          number: row.number,
          connectionId: feed.connectionId,
          key: row.left_key,
          deletedAt: row.left_at!,
        }
        changes.push({ tombstone, at })
      }
    }
  }
  return { changes, hasMore: false }
}

/**
 * A visible record appears at the version that last changed a field of the scope. A record that left appears at the
 * version at which it left, because later changes of it were invisible.
 */
function selectChanges(
  rows: RecordRows,
  feed: Feed,
  since: number,
  horizon: number,
  limit: number,
): Iterable<ChangeRow> {
  const { layout, table } = rows.table
  const { scope } = rows
  const visible = joinConditions(recordConditions(scope, layout))
  const wasVisible = joinConditions(tombstoneConditions(scope, 'g'))
  const wasVisibleLater = joinConditions(tombstoneConditions(scope, 'h'))
  const shown = (data: string) => `select l.version version, l.record number, r.id, l.feed, r.key, l.emitted_at,
      0 touched, r.extra, ${data} data, null left_key, null left_at
    from change l join ${table} r on r.id = l.record
    where l.feed = ? and l.version > ? and l.version <= ? and l.deleted = 0
      and ${touchesSql(layout, scope.projection, 'l')}
      and not exists (select 1 from change m indexed by change_record where m.feed = l.feed and m.record = l.record
        and m.version > l.version and m.version <= ? and ${touchesSql(layout, scope.projection, 'm')})
      and ${visible.sql}
    ${layout.bits < BITS_PER_PART ? '' : 'group by l.version'}`
  const left = `union all
    select g.version, g.current, null, g.feed, g.key, null, 0, 0, null, g.key, g.at
    from tombstone g indexed by tombstone_version left join ${table} r on r.id = g.current
    where g.feed = ? and g.version > ? and g.version <= ? and ${wasVisible.sql}
      and not coalesce(r.id is not null and ${visible.sql}, 0)
      and not exists (select 1 from tombstone h where h.feed = g.feed and h.current = g.current
        and h.version > g.version and h.version <= ? and ${wasVisibleLater.sql})`
  // Most ranges have no tombstones, and merging them takes a fifth of the statement's time.
  const tombstones = 'select 1 from tombstone where feed = ? and version > ? and version <= ?'
  const hasLeft = rows.handle.get(tombstones, feed.feed, since, horizon) !== undefined
  const select = (data: string) => `${shown(data)} ${hasLeft ? left : ''} order by version limit ?`
  const leftValues = [feed.feed, since, horizon, ...wasVisible.values, ...visible.values, horizon]
  const values = [
    ...[feed.feed, since, horizon, horizon, ...visible.values],
    ...(hasLeft ? [...leftValues, ...wasVisibleLater.values] : []),
    limit,
  ]
  // Reads small rows with one call and large rows one at a time, like pages.
  const listed = rows.handle.all<ChangeRow & Record<string, unknown>>(select(LISTED_DATA), ...values)
  const hasLarge = listed.some((row) => row.left_key === null && row.data === null)
  return hasLarge ? (rows.handle.prepare(select('r.data')).iterate(...values) as Iterable<ChangeRow>) : listed
}

/**
 * Counts the changes that a walk between these positions shows. The walk shows every record once, so it is enough to
 * count records with any visible change, which needs no look at the records unless the scope limits them.
 */
export function countChanges(rows: RecordRows, { since, horizon }: ChangeRange): ChangeCount {
  const count = { upserted: 0, deleted: 0 }
  for (const feed of rows.feeds) {
    const until = horizon.find((position) => position.feed === feed.feed)?.version
    const after = since.find((position) => position.feed === feed.feed)?.version ?? 0
    if (until === undefined || after >= until) continue
    const { sql, values } = countSql(rows, feed.feed, after, until)
    const { upserted, deleted } = rows.handle.get<{ upserted: number; deleted: number }>(sql, ...values)!
    count.upserted += upserted
    count.deleted += deleted
  }
  return count
}

function countSql(
  { table: { layout, table }, scope }: RecordRows,
  feed: number,
  since: number,
  horizon: number,
): Condition {
  const visible = joinConditions(recordConditions(scope, layout))
  const wasShown = joinConditions(tombstoneConditions(scope, 'g'))
  const range = [feed, since, horizon]
  const changed = `select distinct l.record from change l where l.feed = ? and l.version > ? and l.version <= ?
    and l.deleted = 0 and ${touchesSql(layout, scope.projection, 'l')}`
  const upserted =
    visible.values.length === 0 && visible.sql === 'true'
      ? `select count(*) from (${changed})`
      : `select count(*) from (${changed}) c join ${table} r on r.id = c.record where ${visible.sql}`
  const deleted = `select count(distinct g.current) from tombstone g indexed by tombstone_version
    left join ${table} r on r.id = g.current where g.feed = ? and g.version > ? and g.version <= ?
      and ${wasShown.sql} and not coalesce(r.id is not null and ${visible.sql}, 0)`
  const values = [...range, ...visible.values, ...range, ...wasShown.values, ...visible.values]
  return { sql: `select (${upserted}) upserted, (${deleted}) deleted`, values }
}
