import { storedRecord } from '../../../lib/stored-json.ts'
import type { ParentsQuery, ScopedRecord } from '../../../records/record-store.ts'
import { referencedParents } from '../../records/referenced-parents.ts'
import type { ListedRow, RecordRows } from './record-rows.ts'

/**
 * Reads the parents of a page's records. The foreign key is read from the stored row, because the page may not show
 * that field.
 */
export async function* readParents(
  parents: RecordRows,
  children: RecordRows,
  query: ParentsQuery,
): AsyncIterable<{ parent: ScopedRecord; children: number[] }> {
  const feeds = new Map(parents.feeds.map(({ connectionId, feed }) => [connectionId, feed]))
  const stored = `select id, data from record where subject = ? and feed = any(?::bigint[]) and id = any(?::bigint[])`
  const numbers = query.children.map(({ number }) => number)
  const texts = await children.session.all<{ id: number; data: string }>(
    stored,
    ...[children.subject, children.feedList, numbers],
  )
  const foreignKeys = new Map(texts.map(({ id, data }) => [id, storedRecord(data)[query.foreignKey]]))
  const sql = `select ${parents.columns} from record r
    where r.subject = ? and r.feed = ? and r.key = ? and ${parents.limits.sql}`
  for (const { connectionId, key, numbers: of } of referencedParents(foreignKeys, query)) {
    const feed = feeds.get(connectionId)
    if (feed === undefined) continue
    const values = [parents.subject, feed, key, ...parents.limits.values]
    const row = await parents.session.get<ListedRow>(sql, ...values)
    if (row) yield { parent: await parents.toRecord(row), children: of }
  }
}
