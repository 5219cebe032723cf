import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StartupError } from '../../../lib/startup-error.ts'
import { PAGE_KILOBYTES } from '../../cache-limits.ts'
import { findFileProblem, MAIN_FILE, RECEIPTS_FILE, setReceiptsAside } from '../installation/file-check.ts'
import { forgetLastReceipts, joinFiles } from '../installation/installation.ts'
import type { OpenOptions } from '../installation/open-options.ts'
import { isDamage } from './fault.ts'
import { Handle, type HandleHooks } from './handle.ts'
import { migrate } from './migrate.ts'
import { MAIN_MIGRATIONS, RECEIPT_MIGRATIONS } from './migrations/index.ts'
import { ReadAhead } from './read-ahead.ts'
import { ReadPool } from './read-pool.ts'

export { Handle, type Value } from './handle.ts'

/** The connections to the main file that a store needs to write. */
export interface WriteDatabases {
  readonly writer: Handle
  /** The same connection as `writer`. Its writes are not reported to `onWrite`. */
  readonly quietWriter: Handle
  readonly reader: Handle
  /** Drops the prepared statements of both. Call after tables were altered. */
  forgetStatements(): void
}

export interface Databases extends WriteDatabases {
  /** Threads for long reads. */
  readonly pool: ReadPool
  /** Receipts have their own file and so their own write lock: an import never delays a read's receipt. */
  readonly receipts: Handle
  /** Calls the listener during or after writes of this process to the main file. */
  onWrite(listener: () => void): void
  /** Call after another thread of this process wrote to the main file. */
  noteWrite(written: WrittenFiles): void
  /** While another thread writes, this one must not: it would wait for the lock, and requests would wait with it. */
  allowWrites(isAllowed: boolean): void
  close(): Promise<void>
}

/** A report of a thread about its writes. */
export interface WrittenFiles {
  /** False if only `quietWriter` wrote. */
  readonly isReported: boolean
  readonly isAltered: boolean
}

/** The connections that a reader needs. Pool threads have no pool themselves. */
export interface ReadDatabases {
  readonly reader: Handle
  readonly pool?: ReadPool
}

/** Opens both databases in an existing directory. */
export function openDatabases(directory: string, { newReceipts = false }: OpenOptions = {}): Databases {
  const problem = findFileProblem(directory)
  const replacesReceipts = newReceipts && problem?.file === RECEIPTS_FILE
  if (problem && !replacesReceipts) throw new StartupError(`${problem.message}\n${problem.fix}`)
  if (replacesReceipts) setReceiptsAside(directory)
  try {
    return openBoth(directory, replacesReceipts)
  } catch (error) {
    if (isDamage(error)) throw new StartupError(damageText(directory))
    throw error
  }
}

/** A start reads only a few pages, so `pdpp doctor` has to read them all to find the damage. */
const damageText = (directory: string) =>
  `A database in ${directory} is damaged.\n\`pdpp doctor\` says which one, and what to restore.`

function openBoth(directory: string, hasNewReceipts: boolean): Databases {
  const file = join(directory, MAIN_FILE)
  let onWrite = () => {}
  let isAllowed = true
  const pool = new ReadPool(file)
  const ahead = new ReadAhead(() => {
    pool.readAhead()
    reader.readAhead()
  })
  const main = openMain(file, {
    written: (isReported) => {
      ahead.noteWrite()
      if (isReported) onWrite()
    },
    beforeWrite: () => {
      if (!isAllowed) throw new Error('Another thread writes to the main file.')
    },
    prepare: (db) => migrate(db, MAIN_MIGRATIONS, file),
  })
  const { writer, reader } = main
  const receiptFile = join(directory, RECEIPTS_FILE)
  const receipts = open(receiptFile, {}, PAGE_KILOBYTES.receipts)
  // A reader thread copies the log earlier (receipts/checkpoints.ts), because it takes long.
  receipts.db.pragma('wal_autocheckpoint = 8000')
  migrate(receipts.db, RECEIPT_MIGRATIONS, receiptFile)
  if (hasNewReceipts) forgetLastReceipts(writer)
  joinFiles(writer, receipts)
  return {
    ...main,
    receipts,
    pool,
    onWrite: (listener) => {
      onWrite = listener
    },
    noteWrite: ({ isReported, isAltered }) => {
      if (isAltered) main.forgetStatements()
      reader.noteWrite()
      ahead.noteWrite()
      if (isReported) onWrite()
    },
    allowWrites: (allowed) => {
      isAllowed = allowed
      // Nothing is read through this connection until it may write again, so its cached pages would only use memory.
      if (!allowed) writer.db.pragma('shrink_memory')
      // `beforeWrite` does not see statements that write and return rows. This setting makes SQLite refuse them.
      writer.db.pragma(`query_only = ${allowed ? 'off' : 'on'}`)
    },
    close: async () => {
      ahead.close()
      await pool.close()
      for (const handle of [reader, writer, receipts]) handle.db.close()
    },
  }
}

interface MainHooks {
  readonly written: (isReported: boolean) => void
  readonly beforeWrite?: () => void
  readonly altered?: () => void
  /** Called before the reader is opened. */
  readonly prepare?: (db: Database.Database) => void
}

/** A connection of this thread that writes to the main file, and one that only reads it. */
export function openMain(file: string, hooks: MainHooks): WriteDatabases {
  const hooksOf = (isReported: boolean): HandleHooks => ({
    ...(hooks.beforeWrite ? { beforeWrite: hooks.beforeWrite } : {}),
    written: () => {
      reader.noteWrite()
      hooks.written(isReported)
    },
  })
  const writer = open(file, hooksOf(true))
  hooks.prepare?.(writer.db)
  // Read-only, except for temporary tables (over the word indexes).
  const reader = new Handle(new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 }))
  reader.db.pragma(`cache_size = -${PAGE_KILOBYTES.reader}`)
  const quietWriter = new Handle(writer.db, hooksOf(false))
  return {
    writer,
    quietWriter,
    reader,
    forgetStatements: () => {
      for (const handle of [writer, quietWriter, reader]) handle.forgetStatements()
      hooks.altered?.()
    },
  }
}

function open(file: string, hooks: HandleHooks, cacheKilobytes: number = PAGE_KILOBYTES.writer): Handle {
  const db = new Database(file, { timeout: 5000 })
  // SQLite gives its side files the mode of the main file.
  chmodSync(file, 0o600)
  // With NORMAL every commit survives a killed process. docs/decisions.md says what it means for a power cut.
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.pragma(`cache_size = -${cacheKilobytes}`)
  return new Handle(db, hooks)
}
