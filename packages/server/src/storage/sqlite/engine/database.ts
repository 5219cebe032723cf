import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { LruCache } from '../../../lib/lru-cache.ts'
import { StartupError } from '../../../lib/startup-error.ts'
import { MAIN_FILE, misfitOf, RECEIPTS_FILE, setReceiptsAside } from '../installation/belonging.ts'
import { forgetReach, joinFiles } from '../installation/installation.ts'
import type { OpenOptions } from '../installation/open-options.ts'
import { isDamage } from './fault.ts'
import { migrate } from './migrate.ts'
import { MAIN_MIGRATIONS, RECEIPT_MIGRATIONS } from './migrations/index.ts'
import { ReadPool } from './read-pool.ts'

export type Row = Record<string, unknown>
export type Value = string | number | bigint | null | Uint8Array

interface HandleHooks {
  /** May throw, and then nothing runs. */
  readonly beforeStatement?: () => void
  readonly written?: () => void
}

/** One connection with its prepared statements: preparing costs more than most of our reads. */
export class Handle {
  readonly db: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  readonly #parsed = new LruCache<string, object>(2000)
  readonly #kept = new LruCache<string, { readonly value: unknown }>(5000)
  #keptAt: unknown
  #isChecked = false
  readonly #hooks: HandleHooks
  #dataVersion: Database.Statement | undefined
  readonly #done = new Set<string>()

  constructor(db: Database.Database, hooks: HandleHooks = {}) {
    this.db = db
    this.#hooks = hooks
  }

  prepare(sql: string): Database.Statement {
    this.#hooks.beforeStatement?.()
    return this.#statements.get(sql) ?? this.#keep(sql, this.db.prepare(sql))
  }

  #shaped(sql: string, shape: 'pluck' | 'raw'): Database.Statement {
    // A statement keeps the shape of its rows, so one text has a statement for each shape.
    const name = `${shape} ${sql}`
    this.#hooks.beforeStatement?.()
    return this.#statements.get(name) ?? this.#keep(name, this.db.prepare(sql)[shape]())
  }

  #keep(name: string, statement: Database.Statement): Database.Statement {
    // Bounded: texts vary with streams and scopes, not with values.
    if (this.#statements.size >= 2000) this.#statements.clear()
    this.#statements.set(name, statement)
    return statement
  }

  get<T = Row>(sql: string, ...values: unknown[]): T | undefined {
    return this.prepare(sql).get(...values) as T | undefined
  }

  all<T = Row>(sql: string, ...values: unknown[]): T[] {
    return this.prepare(sql).all(...values) as T[]
  }

  /** The first column of every row: for lists of numbers a third of the cost of rows. */
  column<T>(sql: string, ...values: unknown[]): T[] {
    return this.#shaped(sql, 'pluck').all(...values) as T[]
  }

  /** Rows as arrays, in the order of the selected columns. */
  tuples<T extends unknown[]>(sql: string, ...values: unknown[]): T[] {
    return this.#shaped(sql, 'raw').all(...values) as T[]
  }

  run(sql: string, ...values: unknown[]): number {
    const { changes } = this.prepare(sql).run(...values)
    this.#hooks.written?.()
    return changes
  }

  /** What a stored text means, read and parsed once. The name must change whenever the text does. */
  cachedForever<T extends object>(name: string, read: () => T): T {
    return (this.#parsed.get(name) as T | undefined) ?? (this.#parsed.set(name, read()) as T)
  }

  /**
   * What a read found, kept until anybody writes to the file: the version that SQLite keeps for this connection moves
   * with every commit of another one, here or in another process, so the next request sees what was just revoked.
   * A connection that writes keeps nothing: it would not see its own commits.
   */
  cachedUntilWrite<T>(name: string, read: () => T): T {
    if (!this.db.readonly) return read()
    if (!this.#isChecked) this.#checkVersion()
    const known = this.#kept.get(name)
    return (known ?? this.#kept.set(name, { value: read() })).value as T
  }

  /** Somebody in this process has written: what was checked in this turn of the event loop no longer holds. */
  noteWrite(): void {
    this.#isChecked = false
  }

  /** Once in a turn is enough: a request that comes in after a commit is read in a later turn. */
  #checkVersion(): void {
    this.#dataVersion ??= this.db.prepare('pragma data_version').pluck()
    const version = this.#dataVersion.get()
    if (version !== this.#keptAt) this.#kept.clear()
    this.#keptAt = version
    this.#isChecked = true
    setImmediate(() => this.noteWrite())
  }

  /** Runs a statement that needs no second time on this connection. */
  once(sql: string): void {
    if (this.#done.has(sql)) return
    this.db.exec(sql)
    this.#done.add(sql)
  }

  /** Forgets statements of tables that were altered. */
  forgetStatements(): void {
    this.#statements.clear()
  }

  transaction<T>(work: () => T): T {
    try {
      return this.db.transaction(work).immediate()
    } finally {
      this.#hooks.written?.()
    }
  }
}

export interface Databases {
  readonly writer: Handle
  readonly reader: Handle
  /** Threads for reads that may take long. */
  readonly pool: ReadPool
  /** Receipts have a file of their own: another writer lock, so that an import never delays a read's receipt. */
  readonly receipts: Handle
  close(): Promise<void>
}

/** What reads need; threads have no pool of their own. */
export interface ReadDatabases {
  readonly reader: Handle
  readonly pool?: ReadPool
}

/** Two files in a directory that exists. */
export function openDatabases(directory: string, { newReceipts = false }: OpenOptions = {}): Databases {
  const misfit = misfitOf(directory)
  const isGivenUp = newReceipts && misfit?.file === RECEIPTS_FILE
  if (misfit && !isGivenUp) throw new StartupError(`${misfit.says}\n${misfit.fix}`)
  if (isGivenUp) setReceiptsAside(directory)
  try {
    return openBoth(directory, isGivenUp)
  } catch (error) {
    if (isDamage(error)) throw new StartupError(foundBroken(directory))
    throw error
  }
}

/** A start reads a few pages only; where one of them is broken, `pdpp doctor` reads them all. */
const foundBroken = (directory: string) =>
  `A database in ${directory} is damaged.\n\`pdpp doctor\` says which one, and what to restore.`

function openBoth(directory: string, isNew: boolean): Databases {
  const main = join(directory, MAIN_FILE)
  const writer = open(main, { written: () => reader.noteWrite() })
  migrate(writer.db, MAIN_MIGRATIONS, main)
  const receiptFile = join(directory, RECEIPTS_FILE)
  // Receipts are appended: their indexes are written at the end, and need little room.
  const receipts = open(receiptFile, {}, 4096)
  migrate(receipts.db, RECEIPT_MIGRATIONS, receiptFile)
  // Opened read-only: it can hold temporary tables (over the word indexes) and nothing else.
  const reader = new Handle(new Database(main, { readonly: true, fileMustExist: true, timeout: 5000 }))
  reader.db.pragma('cache_size = -24576')
  if (isNew) forgetReach(writer)
  joinFiles(writer, receipts)
  const pool = new ReadPool(main)
  return {
    writer,
    reader,
    receipts,
    pool,
    close: async () => {
      await pool.close()
      for (const handle of [reader, writer, receipts]) handle.db.close()
    },
  }
}

function open(file: string, hooks: HandleHooks, cacheKilobytes = 32_768): Handle {
  const db = new Database(file, { timeout: 5000 })
  // SQLite gives its side files the mode of the main one.
  chmodSync(file, 0o600)
  // NORMAL keeps every commit through a kill of the process; docs/decisions.md says what it means for a power cut.
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.pragma(`cache_size = -${cacheKilobytes}`)
  return new Handle(db, hooks)
}
