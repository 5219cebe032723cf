import { parseJson, referencedKey } from '@pdpp/protocol/reading'
import { type ParentsQuery, parentKey, type ScopedRecord } from '../../../records/record-store.ts'
import { joinConditions } from '../../records/conditions.ts'
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
  for (const { connectionId, key, numbers } of referencedParents(children, query).values()) {
    const feed = feeds.get(connectionId)
    const row = feed === undefined ? undefined : parents.handle.get<RecordRow>(sql, feed, key, ...limits.values)
    if (row) yield { parent: parents.toRecord(row), children: numbers }
  }
}

interface ReferencedParent {
  readonly connectionId: string
  readonly key: string
  /** The numbers of the children that refer to the parent. */
  readonly numbers: number[]
}

/** Each referenced parent once. `->` returns the value as JSON text, so that an integer keeps every digit. */
function referencedParents(rows: RecordRows, { foreignKey, children }: ParentsQuery): Map<string, ReferencedParent> {
  const sql = `select r.id, r.data -> ? reference from ${rows.table.table} r where r.id in (select value from json_each(?))`
  const numbers = JSON.stringify(children.map(({ number }) => number))
  const found = rows.handle.all<{ id: number; reference: string | null }>(sql, jsonPath(foreignKey), numbers)
  const references = new Map(found.map(({ id, reference }) => [id, reference]))
  const parents = new Map<string, ReferencedParent>()
  for (const { number, connectionId } of children) {
    const reference = references.get(number)
    const key = reference == null ? undefined : referencedKey(parseJson(reference))
    if (key === undefined) continue
    const name = parentKey({ connectionId, key })
    const known = parents.get(name)
    if (known) known.numbers.push(number)
    else parents.set(name, { connectionId, key, numbers: [number] })
  }
  return parents
}
