import type { FieldKind } from '@pdpp/protocol'
import { defaultSort } from '../../../records/paging/sort.ts'
import { type ChildrenQuery, parentKey, type ScopedRecord } from '../../../records/record-store.ts'
import { columnValue } from '../../records/column-value.ts'
import { joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import type { RecordRow, RecordRows } from './record-rows.ts'
import { recordConditions } from './scope-sql.ts'
import { indexName } from './stream-table.ts'

/**
 * Reads the newest children of many parents with one statement. The subselect stops at the limit of each parent, so a
 * parent with 100,000 children costs no more than one with ten. Parent and child belong to the same connection.
 */
export function readChildren(
  rows: RecordRows,
  query: ChildrenQuery,
): Map<string, { records: ScopedRecord[]; hasMore: boolean }> {
  const { table, layout } = rows.table
  const key = fieldOf(layout, query.foreignKey)
  const cursor = fieldOf(layout, defaultSort(rows.scope) ?? '')?.column
  const lists = new Map<string, { records: ScopedRecord[]; hasMore: boolean }>()
  if (!key?.column) return lists
  const feeds = new Map(rows.feeds.map(({ connectionId, feed }) => [connectionId, feed]))
  const parents = query.parents.filter(({ connectionId }) => feeds.has(connectionId))
  const pairs = parents.map((parent) => [feeds.get(parent.connectionId)!, keyValue(key.kind, parent.key)])
  const limits = joinConditions(recordConditions(rows.scope, layout))
  const order = (alias: string) => `${cursor ? `${alias}.${cursor} desc, ` : ''}${alias}.id desc`
  const sql = `select p.key parent, c.id from json_each(?) p join ${table} c on c.id in (
      select r.id from ${table} r indexed by ${indexName(table, key.column)}
      where r.feed = p.value ->> 0 and r.${key.column} = p.value ->> 1 and ${limits.sql} order by ${order('r')} limit ?)
    order by p.key, ${order('c')}`
  const found = rows.handle.all<{ parent: number; id: number }>(
    sql,
    JSON.stringify(pairs),
    ...limits.values,
    query.limit + 1,
  )
  let bytes = 0
  for (const { parent, id } of found) {
    const name = parentKey(parents[parent]!)
    const list = lists.get(name) ?? { records: [], hasMore: false }
    lists.set(name, list)
    if (list.records.length === query.limit || bytes > query.maxBytes) {
      list.hasMore = true
      continue
    }
    const row = rows.handle.get<RecordRow>(`select ${rows.columns} from ${table} r where r.id = ?`, id)
    if (!row) continue
    const record = rows.toRecord(row)
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
  if (kind !== 'integer' && kind !== 'number') return columnValue(kind, key)
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(key) ? JSON.rawJSON(key) : null
}
