import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Handle } from '../engine/database.ts'
import { INSTALLATION, MAIN_FILE, REACH, RECEIPTS_FILE } from './belonging.ts'

/** Gives both files one id. The receipts get it first: belonging.ts relies on the order. */
export function joinFiles(main: Handle, receipts: Handle): void {
  const known = main.get<{ value: Buffer }>('select value from secret where name = ?', INSTALLATION)?.value
  const there = receipts.get<{ id: Buffer }>('select id from installation')?.id
  if (known && there) return
  const id = known ?? there ?? randomBytes(16)
  if (!there) receipts.run('insert into installation values (?)', id)
  if (!known) main.run('insert into secret values (?, ?)', INSTALLATION, id)
}

/** Receipts begin anew: what the main file knew of the old ones no longer holds. */
export function forgetReach(main: Handle): void {
  main.run('delete from setting where name = ?', REACH)
}

export interface ChainEnd {
  readonly sequence: number
  readonly hash: string
}

const SAVE_REACH = `insert into setting values (?, '${REACH}', ?)
  on conflict (subject_id, name) do update set value = excluded.value`

/** Writes into the main file how far the receipts of each owner reach, so that an older or shorter file is noticed. */
export function noteChainEnd(main: Handle, receipts: Handle, reaches: ReadonlyMap<string, ChainEnd>): void {
  // Only what is on the disk is noted: after a power cut the receipts must not be behind the note.
  receipts.db.pragma('wal_checkpoint(passive)')
  // Whoever rewrites the main file holds it for long. The note can wait, the event loop cannot.
  const patience = main.db.pragma('busy_timeout', { simple: true })
  main.db.pragma('busy_timeout = 0')
  try {
    main.transaction(() => {
      for (const [subjectId, reach] of reaches) main.run(SAVE_REACH, subjectId, JSON.stringify(reach))
    })
  } finally {
    main.db.pragma(`busy_timeout = ${patience}`)
  }
}

/** In a copy of both files, whose receipts were copied first: the note follows the receipts that it has. */
export function fitReach(copy: string): void {
  const main = new Database(join(copy, MAIN_FILE), { fileMustExist: true })
  const receipts = new Database(join(copy, RECEIPTS_FILE), { readonly: true, fileMustExist: true })
  try {
    const newest = receipts.prepare(
      'select sequence, lower(hex(hash)) hash from receipt where subject_id = ? order by sequence desc limit 1',
    )
    main.transaction(() => {
      for (const subjectId of main.prepare('select subject_id from setting where name = ?').pluck().all(REACH)) {
        const reach = newest.get(subjectId)
        if (reach) main.prepare(SAVE_REACH).run(subjectId, JSON.stringify(reach))
        else main.prepare('delete from setting where subject_id = ? and name = ?').run(subjectId, REACH)
      }
    })()
  } finally {
    main.close()
    receipts.close()
  }
}
