import { type DeadRecords, type DeadRow, deadRecords } from '../../words/dead-records.ts'
import type { Session } from '../engine/session.ts'

/** The records that died after an epoch. */
export async function deadSince(session: Session, subject: number, epoch: number): Promise<DeadRecords> {
  const sql = 'select edition, number, before from word_dead where subject = ? and changed > ?'
  return deadRecords(await session.all<DeadRow>(sql, subject, epoch))
}

/** The dead records of some editions. */
export async function deadOf(session: Session, subject: number, editions: readonly number[]): Promise<DeadRecords> {
  const sql = 'select edition, number, before from word_dead where subject = ? and edition = any(?::bigint[])'
  return deadRecords(await session.all<DeadRow>(sql, subject, editions))
}
