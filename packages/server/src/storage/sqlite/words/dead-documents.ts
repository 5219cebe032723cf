import { type DeadRecords, type DeadRow, deadRecords } from '../../words/dead-records.ts'
import type { Handle } from '../engine/database.ts'

/** The records that died after an epoch. */
export function deadSince(handle: Handle, owner: number, epoch: number): DeadRecords {
  const sql =
    'select edition, number, before from word_dead indexed by word_dead_changed where owner = ? and changed > ?'
  return deadRecords(handle.all<DeadRow & Record<string, unknown>>(sql, owner, epoch))
}

/** The dead records of some editions. */
export function deadOf(handle: Handle, owner: number, editions: readonly number[]): DeadRecords {
  const sql = `select edition, number, before from word_dead
    where owner = ? and edition in (select value from json_each(?))`
  return deadRecords(handle.all<DeadRow & Record<string, unknown>>(sql, owner, JSON.stringify(editions)))
}
