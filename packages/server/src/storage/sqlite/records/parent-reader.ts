import { parseJson } from '@pdpp/protocol/reading'
import type { ParentsQuery, ScopedRecord } from '../../../records/record-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { referencedParents } from '../../records/referenced-parents.ts'
import type { RecordRow, RecordRows } from './record-rows.ts'
import { jsonPath, recordConditions } from './scope-sql.ts'
import { keyIndex } from './stream-table.ts'

/**
 * Reads the parents of a page's records. It looks up each parent once, even if it has a hundred children on the page.
 * The foreign key is read from the stored row, because the page may not show that field.
 */
export async function* readParents(
  parents: RecordRows,
  children: RecordRows,
  query: ParentsQuery,
): AsyncIterable<{ parent: ScopedRecord; children: number[] }> {
  const { table, layout } = parents.table
  const feeds = new Map(parents.feeds.map(({ connectionId, feed }) => [connectionId, feed]))
  const limits = joinConditions(recordConditions(parents.scope, layout))
  const sql = `select ${parents.columns} from ${table} r indexed by ${keyIndex(table)}
    where r.feed = ? and r.key = ? and ${limits.sql}`
  for (const { connectionId, key, numbers } of referencedParents(foreignKeysOf(children, query), query)) {
    const feed = feeds.get(connectionId)
    const row = feed === undefined ? undefined : parents.handle.get<RecordRow>(sql, feed, key, ...limits.values)
    if (row) yield { parent: parents.toRecord(row), children: numbers }
  }
}

/** The foreign keys of the children. `->` returns the value as JSON text, so that an integer keeps every digit. */
function foreignKeysOf(rows: RecordRows, { foreignKey, children }: ParentsQuery): Map<number, unknown> {
  const sql = `select r.id, r.data -> ? reference from ${rows.table.table} r where r.id in (select value from json_each(?))`
  const numbers = JSON.stringify(children.map(({ number }) => number))
  const found = rows.handle.all<{ id: number; reference: string | null }>(sql, jsonPath(foreignKey), numbers)
  return new Map(found.map(({ id, reference }) => [id, reference === null ? null : parseJson(reference)]))
}
