import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Handle } from '../engine/database.ts'
import { INSTALLATION, LAST_RECEIPT_SETTING, MAIN_FILE, RECEIPTS_FILE } from './file-check.ts'

/** Gives both files one id. The receipts file gets it first, because file-check.ts relies on the order. */
export function joinFiles(main: Handle, receipts: Handle): void {
  const inMain = main.get<{ value: Buffer }>('select value from secret where name = ?', INSTALLATION)?.value
  const inReceipts = receipts.get<{ id: Buffer }>('select id from installation')?.id
  if (inMain && inReceipts) return
  const id = inMain ?? inReceipts ?? randomBytes(16)
  if (!inReceipts) receipts.run('insert into installation values (?)', id)
  if (!inMain) main.run('insert into secret values (?, ?)', INSTALLATION, id)
}

/** Call when the receipts start from nothing: the main file must forget the last known ones. */
export function forgetLastReceipts(main: Handle): void {
  main.run('delete from setting where name = ?', LAST_RECEIPT_SETTING)
}

export interface ChainEnd {
  readonly sequence: number
  readonly hash: string
}

const SAVE_LAST_RECEIPT = `insert into setting values (?, '${LAST_RECEIPT_SETTING}', ?)
  on conflict (subject_id, name) do update set value = excluded.value`

/**
 * Stores the last receipt of each owner in the main file, so that an older or shorter receipts file is noticed. Flush
 * the receipts first: after a power cut they must not be behind this note.
 */
export function saveLastReceipts(main: Handle, chainEnds: ReadonlyMap<string, ChainEnd>): void {
  // Do not wait for a lock, because a vacuum holds it for long and waiting would block the event loop.
  const timeout = main.db.pragma('busy_timeout', { simple: true })
  main.db.pragma('busy_timeout = 0')
  try {
    main.transaction(() => {
      for (const [subjectId, chainEnd] of chainEnds) main.run(SAVE_LAST_RECEIPT, subjectId, JSON.stringify(chainEnd))
    })
  } finally {
    main.db.pragma(`busy_timeout = ${timeout}`)
  }
}

/** Fits the note in a copied main file to the copied receipts, which were copied first and may be older. */
export function adjustLastReceipts(copy: string): void {
  const main = new Database(join(copy, MAIN_FILE), { fileMustExist: true })
  const receipts = new Database(join(copy, RECEIPTS_FILE), { readonly: true, fileMustExist: true })
  try {
    const newest = receipts.prepare(
      'select sequence, lower(hex(hash)) hash from receipt not indexed where subject_id = ? order by sequence desc limit 1',
    )
    main.transaction(() => {
      for (const subjectId of main
        .prepare('select subject_id from setting where name = ?')
        .pluck()
        .all(LAST_RECEIPT_SETTING)) {
        const chainEnd = newest.get(subjectId)
        if (chainEnd) main.prepare(SAVE_LAST_RECEIPT).run(subjectId, JSON.stringify(chainEnd))
        else main.prepare('delete from setting where subject_id = ? and name = ?').run(subjectId, LAST_RECEIPT_SETTING)
      }
    })()
  } finally {
    main.close()
    receipts.close()
  }
}
