import type { ChainCheck, ChainPosition } from '../../../receipts/receipt-store.ts'
import { GENESIS, receiptHash } from '../../rows/receipt-encoding.ts'
import type { Session } from '../engine/session.ts'
import { fromRow, type ReceiptRow } from './receipt-row.ts'

const ROWS_AT_ONCE = 1000

/** Recomputes the hashes of an owner's receipts, all of them or `limit` after a position. */
export async function verifyChain(
  session: Session,
  { subject, subjectId }: { subject: number; subjectId: string },
  { after, limit = Number.POSITIVE_INFINITY }: { after?: ChainPosition | undefined; limit?: number },
): Promise<ChainCheck> {
  const anchor = await anchorOf(session, subject)
  // Retention may have deleted the position since then. The anchor has the hash to continue from.
  const from = after && after.sequence >= (anchor?.sequence ?? 0) ? after : anchor
  let previous: Uint8Array = from ? Buffer.from(from.hash, 'hex') : GENESIS
  let reached = from
  let checked = 0
  let last = from === after ? (from?.sequence ?? 0) : 0
  const sql = 'select * from receipt where subject = ? and sequence > ? order by sequence limit ?'
  while (checked < limit) {
    const wanted = Math.min(ROWS_AT_ONCE, limit - checked)
    const rows = await session.all<ReceiptRow>(sql, subject, last, wanted)
    for (const row of rows) {
      const expected = receiptHash(previous, fromRow(row, subjectId))
      if (!expected.equals(row.hash)) return { checked, brokenAt: row.sequence, reached }
      previous = row.hash
      reached = { sequence: row.sequence, hash: expected.toString('hex') }
      last = row.sequence
      checked++
    }
    if (rows.length < wanted) break
  }
  return { checked, brokenAt: undefined, reached }
}

/** The last receipt that retention has deleted. */
async function anchorOf(session: Session, subject: number): Promise<ChainPosition | undefined> {
  const sql = 'select sequence, hash from anchor where subject = ?'
  const row = await session.get<{ sequence: number; hash: Uint8Array }>(sql, subject)
  return row && { sequence: row.sequence, hash: Buffer.from(row.hash).toString('hex') }
}
