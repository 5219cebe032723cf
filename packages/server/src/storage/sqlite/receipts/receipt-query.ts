import type { ReceiptQuery } from '../../../receipts/receipt-store.ts'
import type { TextIds } from './receipt-row.ts'

/** Up to this length, a range of time is found by its index and sorted. */
const MAX_SORTED_MS = 7 * 86_400_000

/** The query as SQL. Undefined if a name was never written, because nothing can match it. */
export function receiptConditions(
  textIds: TextIds,
  subjectId: string,
  query: ReceiptQuery,
): { sql: string; values: unknown[] } | undefined {
  // The plus sign stops SQLite from using the column's index.
  const parts: [string, unknown][] = [[readsBackwards(query) ? '+subject_id = ?' : 'subject_id = ?', subjectId]]
  for (const [column, text] of [
    ['client', query.clientId],
    ['stream', query.stream ?? query.record?.stream],
    ['connector', query.record?.connectorKey],
  ] as const) {
    if (text === undefined) continue
    const id = textIds.find(text)
    if (id === undefined) return
    parts.push([`${column} = ?`, id])
  }
  if (query.grantId !== undefined) parts.push(['grant_id = ?', query.grantId])
  if (query.outcome !== undefined)
    parts.push([query.outcome === 'ok' ? 'outcome = ?' : 'outcome <> ?', textIds.find('ok') ?? -1])
  if (query.since !== undefined) parts.push(['at >= ?', query.since])
  if (query.until !== undefined) parts.push(['at < ?', query.until])
  if (query.before !== undefined) parts.push(['sequence < ?', query.before])
  if (query.record)
    parts.push(
      ['last_record >= ?', Math.min(...query.record.numbers)],
      ['first_record <= ?', Math.max(...query.record.numbers)],
    )
  return { sql: parts.map(([sql]) => sql).join(' and '), values: parts.map(([, value]) => value) }
}

/**
 * Whether to read all receipts backwards from the newest. Otherwise, if no index has the order of sequences, SQLite
 * would use the index on owner or time and sort all matches. That pays only for a short range of time.
 */
function readsBackwards({ clientId, grantId, stream, record, since, until }: ReceiptQuery): boolean {
  if (clientId !== undefined || grantId !== undefined || stream !== undefined || record) return false
  return since === undefined || until === undefined || until - since > MAX_SORTED_MS
}
