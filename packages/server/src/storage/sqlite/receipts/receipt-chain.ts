import type { ChainCheck, ChainPosition } from '../../../receipts/receipt-store.ts'
import { GENESIS, receiptHash } from '../../rows/receipt-encoding.ts'
import type { Handle } from '../engine/database.ts'
import { fromRow, type ReceiptRow, type TextIds } from './receipt-row.ts'

/** Recomputes the hashes of an owner's receipts, all of them or `limit` after a position. */
export function verifyChain(
  db: Handle,
  textIds: TextIds,
  subjectId: string,
  { after, limit = -1 }: { after?: ChainPosition | undefined; limit?: number },
): ChainCheck {
  const anchor = anchorOf(db, subjectId)
  // Retention may have deleted the position since then. The anchor has the hash to continue from.
  const from = after && after.sequence >= (anchor?.sequence ?? 0) ? after : anchor
  let previous: Uint8Array = from ? Buffer.from(from.hash, 'hex') : GENESIS
  let reached = from
  let checked = 0
  const sql = 'select * from receipt where subject_id = ? and sequence > ? order by sequence limit ?'
  const rows = db
    .prepare(sql)
    .iterate(subjectId, from === after ? (from?.sequence ?? 0) : 0, limit) as Iterable<ReceiptRow>
  for (const row of rows) {
    const expected = expectedHash(textIds, previous, row)
    if (!expected?.equals(row.hash)) return { checked, brokenAt: row.sequence, reached }
    previous = row.hash
    reached = { sequence: row.sequence, hash: expected.toString('hex') }
    checked++
  }
  return { checked, brokenAt: undefined, reached }
}

/** The hash of an owner's last receipt, which the next one builds on. */
export function lastHash(db: Handle, subjectId: string): Buffer {
  // Without an index, this is the first row from the end. With an index, SQLite would sort all receipts of the owner.
  const sql = 'select hash from receipt not indexed where subject_id = ? order by sequence desc limit 1'
  return (
    db.get<{ hash: Buffer }>(sql, subjectId)?.hash ??
    Buffer.from(anchorOf(db, subjectId)?.hash ?? GENESIS.toString('hex'), 'hex')
  )
}

/** The last receipt that retention has deleted. */
function anchorOf(db: Handle, subjectId: string): ChainPosition | undefined {
  const sql = 'select sequence, hash from anchor where subject_id = ?'
  const row = db.get<{ sequence: number; hash: Buffer }>(sql, subjectId)
  return row && { sequence: row.sequence, hash: Buffer.from(row.hash).toString('hex') }
}

/** Undefined if texts of the receipt are missing, which never happens to a receipt that we wrote. */
function expectedHash(textIds: TextIds, previous: Uint8Array, row: ReceiptRow): Buffer | undefined {
  try {
    return receiptHash(previous, fromRow(row, textIds))
  } catch (error) {
    if (error instanceof SyntaxError) return
    throw error
  }
}
