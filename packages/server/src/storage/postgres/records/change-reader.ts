import type { ChangeCount, ChangePage, ChangeRange, ChangesQuery } from '../../../records/record-store.ts'
import { touchesSql } from '../../records/change-mask.ts'
import { joinConditions } from '../../records/conditions.ts'
import type { ListedRow, RecordRows } from './record-rows.ts'
import { tombstoneConditions } from './scope-sql.ts'

interface ChangeRow extends ListedRow {
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
export async function readChanges(rows: RecordRows, query: ChangesQuery): Promise<ChangePage> {
  const changes: ChangePage['changes'][number][] = []
  let bytes = 0
  for (const { feed, since, horizon } of walkedFeeds(rows, query)) {
    const { sql, values } = changesSql(rows, feed, since, horizon, query.limit - changes.length + 1)
    for (const row of await rows.session.all<ChangeRow>(sql, ...values)) {
      if (changes.length === query.limit || bytes > query.maxBytes) return { changes, hasMore: true }
      const at = { feed, version: row.version }
      if (row.left_key === null) {
        const record = await rows.toRecord(row)
        bytes += record.json.length
        changes.push({ record, at })
      } else {
        const left = { key: row.left_key, deletedAt: row.left_at! }
        changes.push({ tombstone: { number: row.number, connectionId: rows.connectionOf(feed), ...left }, at })
      }
    }
  }
  return { changes, hasMore: false }
}

function walkedFeeds({ feeds }: RecordRows, { since, horizon }: ChangeRange) {
  return feeds.flatMap(({ feed }) => {
    const until = horizon.find((position) => position.feed === feed)?.version
    const after = since.find((position) => position.feed === feed)?.version ?? 0
    return until === undefined || after >= until ? [] : [{ feed, since: after, horizon: until }]
  })
}

/**
 * A visible record appears at the version that last changed a field of the scope. A record that left appears at the
 * version at which it left, because later changes of it were invisible.
 */
function changesSql(rows: RecordRows, feed: number, since: number, horizon: number, limit: number) {
  const { layout, scope, subject, limits: visible } = rows
  const wasVisible = joinConditions(tombstoneConditions(scope, 'g'))
  const wasVisibleLater = joinConditions(tombstoneConditions(scope, 'h'))
  const data = `case when octet_length(r.data) <= 65536 then r.data end`
  const sql = `select * from (
      (select distinct on (l.version) l.version, l.record number, r.id, l.feed, r.key, l.emitted_at, r.extra, ${data} "data",
        null::text left_key, null::bigint left_at
      from change l join record r on r.subject = l.subject and r.feed = l.feed and r.id = l.record
      where l.subject = ? and l.feed = ? and l.version > ? and l.version <= ? and l.deleted = 0
        and ${touchesSql(layout, scope.projection, 'l')}
        and not exists (select 1 from change m where m.subject = l.subject and m.feed = l.feed and m.record = l.record
          and m.version > l.version and m.version <= ? and ${touchesSql(layout, scope.projection, 'm')})
        and ${visible.sql}
      order by l.version limit ?)
      union all
      (select g.version, g.current, null, g.feed, g.key, null, 0, null, g.key, g.at
      from tombstone g left join record r on r.subject = g.subject and r.feed = g.feed and r.id = g.current
      where g.subject = ? and g.feed = ? and g.version > ? and g.version <= ? and ${wasVisible.sql}
        and not coalesce(r.id is not null and ${visible.sql}, false)
        and not exists (select 1 from tombstone h where h.subject = g.subject and h.feed = g.feed
          and h.current = g.current and h.version > g.version and h.version <= ? and ${wasVisibleLater.sql})
      order by g.version limit ?)) x
    order by version limit ?`
  const values = [
    ...[subject, feed, since, horizon, horizon, ...visible.values, limit],
    ...[subject, feed, since, horizon, ...wasVisible.values, ...visible.values, horizon, ...wasVisibleLater.values],
    ...[limit, limit],
  ]
  return { sql, values }
}

/**
 * Counts the changes that a walk between these positions shows. The walk shows every record once, so it is enough to
 * count records with any visible change.
 */
export async function countChanges(rows: RecordRows, range: ChangeRange): Promise<ChangeCount> {
  const count = { upserted: 0, deleted: 0 }
  const { layout, scope, subject, limits: visible, session } = rows
  const wasShown = joinConditions(tombstoneConditions(scope, 'g'))
  const join = (alias: string, id: string) =>
    `join record r on r.subject = ${alias}.subject and r.feed = ${alias}.feed and r.id = ${id}`
  const sql = `select
      (select count(distinct l.record) from change l ${visible.sql === 'true' ? '' : join('l', 'l.record')}
        where l.subject = ? and l.feed = ? and l.version > ? and l.version <= ? and l.deleted = 0
          and ${touchesSql(layout, scope.projection, 'l')} and ${visible.sql}) upserted,
      (select count(distinct g.current) from tombstone g left ${join('g', 'g.current')}
        where g.subject = ? and g.feed = ? and g.version > ? and g.version <= ? and ${wasShown.sql}
          and not coalesce(r.id is not null and ${visible.sql}, false)) deleted`
  for (const { feed, since, horizon } of walkedFeeds(rows, range)) {
    const span = [subject, feed, since, horizon]
    const values = [...span, ...visible.values, ...span, ...wasShown.values, ...visible.values]
    const { upserted, deleted } = (await session.get<{ upserted: number; deleted: number }>(sql, ...values))!
    count.upserted += upserted
    count.deleted += deleted
  }
  return count
}
