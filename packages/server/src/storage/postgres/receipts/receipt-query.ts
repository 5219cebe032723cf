import type { ReceiptQuery } from '../../../receipts/receipt-store.ts'
import type { Condition } from '../../records/conditions.ts'

/** The query as SQL. */
export function receiptConditions(subject: number, query: ReceiptQuery): Condition {
  const parts: [string, string | number][] = [['subject = ?', subject]]
  for (const [sql, value] of [
    ['client = ?', query.clientId],
    ['stream = ?', query.stream ?? query.record?.stream],
    ['connector = ?', query.record?.connectorKey],
    ['grant_id = ?', query.grantId],
    [query.outcome === 'ok' ? 'outcome = ?' : 'outcome <> ?', query.outcome === undefined ? undefined : 'ok'],
    ['at >= ?', query.since],
    ['at < ?', query.until],
    ['sequence < ?', query.before],
  ] as const)
    if (value !== undefined) parts.push([sql, value])
  if (query.record)
    parts.push(
      ['last_record >= ?', Math.min(...query.record.numbers)],
      ['first_record <= ?', Math.max(...query.record.numbers)],
    )
  return { sql: parts.map(([sql]) => sql).join(' and '), values: parts.map(([, value]) => value) }
}
