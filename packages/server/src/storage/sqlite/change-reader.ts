import type { ChangePage, ChangesQuery } from '../../records/record-store.ts'
import { touchesSql } from './change-mask.ts'
import type { Feed } from './feeds.ts'
import { BITS_PER_PART } from './layout.ts'
import type { RecordRow, RecordRows } from './record-rows.ts'
import { goneConditions, joinConditions, recordConditions } from './scope-sql.ts'

interface ChangeRow extends RecordRow {
  version: number
  number: number
  deleted: number
  visible: number
  gone_key: string | null
  gone_at: number | null
}

/**
 * What changed in the fields that a scope shows, feed by feed in order of version, each record once: at the last
 * version up to the horizon that touched such a field. A record changed again beyond the horizon has given its bits
 * away and appears in the next walk: never lost, never twice.
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
      if (row.visible) {
        const record = { ...rows.toRecord(row), emittedAt: row.emitted_at }
        bytes += record.json.length
        changes.push({ record, at })
      } else {
        const tombstone = {
          number: row.number,
          connectionId: feed.connectionId,
          key: row.gone_key!,
          deletedAt: row.gone_at!,
        }
        changes.push({ tombstone, at })
      }
    }
  }
  return { changes, hasMore: false }
}

function selectChanges(
  rows: RecordRows,
  feed: Feed,
  since: number,
  horizon: number,
  limit: number,
): Iterable<ChangeRow> {
  const { layout, table } = rows.table
  const projection = rows.scope.projection
  const visible = joinConditions([{ sql: 'r.id is not null', values: [] }, ...recordConditions(rows.scope, layout)])
  const wasVisible = joinConditions([
    { sql: 'g.feed = l.feed and g.current = l.record', values: [] },
    ...goneConditions(rows.scope),
  ])
  const gone = `exists (select 1 from gone g where ${wasVisible.sql})`
  const sql = `select l.version, l.record number, l.deleted, r.id, l.feed, r.key, l.emitted_at, 0 touched, r.extra, r.data,
      (${visible.sql}) visible,
      (select g.key from gone g where ${wasVisible.sql} limit 1) gone_key,
      (select max(g.at) from gone g where ${wasVisible.sql}) gone_at
    from change l left join ${table} r on r.id = l.record and l.deleted = 0
    where l.feed = ? and l.version > ? and l.version <= ? and ${touchesSql(layout, projection, 'l')}
      and not exists (select 1 from change m indexed by change_record where m.feed = l.feed and m.record = l.record
        and m.version > l.version and m.version <= ? and ${touchesSql(layout, projection, 'm')})
      and ((${visible.sql}) or ${gone})
    ${layout.bits < BITS_PER_PART ? '' : 'group by l.version'} order by l.version limit ?`
  return rows.handle
    .prepare(sql)
    .iterate(
      ...visible.values,
      ...wasVisible.values,
      ...wasVisible.values,
      feed.feed,
      since,
      horizon,
      horizon,
      ...visible.values,
      ...wasVisible.values,
      limit,
    ) as Iterable<ChangeRow>
}
