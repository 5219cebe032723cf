import type { FieldKind } from '@pdpp/protocol'
import { defaultSort } from '../../../records/paging/sort.ts'
import { type ChildrenQuery, parentKey, type ScopedRecord } from '../../../records/record-store.ts'
import { fieldOf } from '../../records/layout.ts'
import type { ListedRow, RecordRows } from './record-rows.ts'
import { arrayType, slotValue } from './slots.ts'

/**
 * Reads the newest children of many parents with one statement. The inner select stops at the limit of each parent, so
 * a parent with 100,000 children costs no more than one with ten. Parent and child belong to the same connection.
 */
export async function readChildren(
  rows: RecordRows,
  query: ChildrenQuery,
): Promise<Map<string, { records: ScopedRecord[]; hasMore: boolean }>> {
  const key = fieldOf(rows.layout, query.foreignKey)
  const cursor = fieldOf(rows.layout, defaultSort(rows.scope) ?? '')?.column
  const lists = new Map<string, { records: ScopedRecord[]; hasMore: boolean }>()
  if (!key?.column) return lists
  const feeds = new Map(rows.feeds.map(({ connectionId, feed }) => [connectionId, feed]))
  const parents = query.parents.filter(({ connectionId }) => feeds.has(connectionId))
  const sql = `select p.at - 1 parent, c.* from
      unnest(?::bigint[], ?::${arrayType(key.column)}) with ordinality p(feed, reference, at) cross join lateral (
        select ${rows.columns}, row_number() over () nth from (select r.* from record r
          where r.subject = ? and r.feed = p.feed and r.${key.column} = p.reference and ${rows.limits.sql}
          order by ${cursor ? `r.${cursor} desc nulls last, ` : ''}r.id desc limit ?) r) c
    order by p.at, c.nth`
  const found = await rows.session.all<ListedRow & { parent: number }>(
    sql,
    parents.map((parent) => feeds.get(parent.connectionId)!),
    parents.map((parent) => keyValue(key.kind, parent.key)),
    ...[rows.subject, ...rows.limits.values, query.limit + 1],
  )
  let bytes = 0
  for (const row of found) {
    const name = parentKey(parents[row.parent]!)
    const list = lists.get(name) ?? { records: [], hasMore: false }
    lists.set(name, list)
    if (list.records.length === query.limit || bytes > query.maxBytes) {
      list.hasMore = true
      continue
    }
    const record = await rows.toRecord(row)
    bytes += record.json.length
    list.records.push(record)
  }
  return lists
}

/**
 * A parent's key in the form of the child's column, with every digit. Null if there is no such form, because null
 * matches nothing.
 */
function keyValue(kind: FieldKind, key: string): unknown {
  if (kind !== 'integer' && kind !== 'number') return slotValue(kind, key)
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(key) ? key : null
}
