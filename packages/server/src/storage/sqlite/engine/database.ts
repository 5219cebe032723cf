import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { RecentCache } from '../../../lib/recent-cache.ts'
import { StartupError } from '../../../lib/startup-error.ts'
import { findFileProblem, MAIN_FILE, RECEIPTS_FILE, setReceiptsAside } from '../installation/belonging.ts'
import { forgetLastReceipts, joinFiles } from '../installation/installation.ts'
import type { OpenOptions } from '../installation/open-options.ts'
import { isDamage } from './fault.ts'
import { migrate } from './migrate.ts'
import { MAIN_MIGRATIONS, RECEIPT_MIGRATIONS } from './migrations/index.ts'
import { ReadPool } from './read-pool.ts'

export type Row = Record<string, unknown>
export type Value = string | number | bigint | null | Uint8Array

interface HandleHooks {
  /** May throw to prevent the statement. */
  readonly beforeStatement?: () => void
  /** May throw to prevent the write. */
  readonly beforeWrite?: () => void
  readonly written?: () => void
}

/** One connection with its prepared statements, because preparing costs more than most of our reads. */
export class Handle {
  readonly db: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  readonly #forever = new RecentCache<string, object>(2000)
  readonly #untilWrite = new RecentCache<string, { readonly value: unknown }>(5000)
  #withObjects = new WeakMap<object, object>()
  #cachedVersion: unknown
  #isChecked = false
  readonly #hooks: HandleHooks
  #dataVersion: Database.Statement | undefined
  readonly #doneOnce = new Set<string>()
  /** Made once, because making it costs as much as a small transaction. */
  readonly #transact: Database.Transaction<(work: () => unknown) => unknown>

  constructor(db: Database.Database, hooks: HandleHooks = {}) {
    this.db = db
    this.#transact = db.transaction((work) => work())
    this.#hooks = hooks
  }

  prepare(sql: string): Database.Statement {
    this.#hooks.beforeStatement?.()
    return this.#statements.get(sql) ?? this.#keep(sql, this.db.prepare(sql))
  }

  #shaped(sql: string, shape: 'pluck' | 'raw'): Database.Statement {
    // A statement keeps its row format, so each format has its own statement.
    const name = `${shape} ${sql}`
    this.#hooks.beforeStatement?.()
    return this.#statements.get(name) ?? this.#keep(name, this.db.prepare(sql)[shape]())
  }

  #keep(name: string, statement: Database.Statement): Database.Statement {
    // Texts vary with streams and scopes but not with values, so this limit is rarely reached.
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

  /** The first column of every row. For lists of numbers this costs a third of reading rows. */
  column<T>(sql: string, ...values: unknown[]): T[] {
    return this.#shaped(sql, 'pluck').all(...values) as T[]
  }

  /** Rows as arrays, in the order of the selected columns. */
  tuples<T extends unknown[]>(sql: string, ...values: unknown[]): T[] {
    return this.#shaped(sql, 'raw').all(...values) as T[]
  }

  run(sql: string, ...values: unknown[]): number {
    this.#hooks.beforeWrite?.()
    const { changes } = this.prepare(sql).run(...values)
    this.#hooks.written?.()
    return changes
  }

  /** Caches a parsed text for good, so the name must change whenever the text does. */
  cachedForever<T extends object>(name: string, read: () => T): T {
    return (this.#forever.get(name) as T | undefined) ?? (this.#forever.set(name, read()) as T)
  }

  /**
   * Cache that is valid until any connection or process commits to the file. SQLite's `data_version` of a connection
   * changes with every commit by another one, so the next request sees a revocation. A connection that writes has no
   * cache, because its own commits do not change its `data_version`.
   */
  cachedUntilWrite<T>(name: string, read: () => T): T {
    if (!this.db.readonly) return read()
    if (!this.#isChecked) this.#checkVersion()
    const known = this.#untilWrite.get(name)
    return (known ?? this.#untilWrite.set(name, { value: read() })).value as T
  }

  /** The same for a value that belongs to an object, such as the scope of a request. */
  cachedWith<T extends object>(owner: object, read: () => T): T {
    if (!this.#isChecked) this.#checkVersion()
    const known = this.#withObjects.get(owner)
    if (known) return known as T
    const value = read()
    this.#withObjects.set(owner, value)
    return value
  }

  /** Call after a write by this process: the version must be checked again, even in this turn of the event loop. */
  noteWrite(): void {
    this.#isChecked = false
  }

  /** Runs once per turn of the event loop. A request that arrives after a commit is read in a later turn. */
  #checkVersion(): void {
    this.#dataVersion ??= this.db.prepare('pragma data_version').pluck()
    const version = this.#dataVersion.get()
    if (version !== this.#cachedVersion) {
      this.#untilWrite.clear()
      this.#withObjects = new WeakMap()
    }
    this.#cachedVersion = version
    this.#isChecked = true
    setImmediate(() => this.noteWrite())
  }

  /** Runs a statement only the first time on this connection. */
  once(sql: string): void {
    if (this.#doneOnce.has(sql)) return
    this.db.exec(sql)
    this.#doneOnce.add(sql)
  }

  /** Drops prepared statements. Call after tables were altered. */
  forgetStatements(): void {
    this.#statements.clear()
  }

  transaction<T>(work: () => T): T {
    this.#hooks.beforeWrite?.()
    try {
      return this.#transact.immediate(work) as T
    } finally {
      this.#hooks.written?.()
    }
  }
}

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
  const main = openMain(file, {
    written: (isReported) => {
      if (isReported) onWrite()
    },
    beforeWrite: () => {
      if (!isAllowed) throw new Error('Another thread writes to the main file.')
    },
    prepare: (db) => migrate(db, MAIN_MIGRATIONS, file),
  })
  const { writer, reader } = main
  const receiptFile = join(directory, RECEIPTS_FILE)
  // Receipts are only appended, so a small cache is enough.
  const receipts = open(receiptFile, {}, 4096)
  // A thread copies the log earlier (receipts/checkpoints.ts), because it takes long.
  receipts.db.pragma('wal_autocheckpoint = 8000')
  migrate(receipts.db, RECEIPT_MIGRATIONS, receiptFile)
  if (hasNewReceipts) forgetLastReceipts(writer)
  joinFiles(writer, receipts)
  const pool = new ReadPool(file)
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
      if (isReported) onWrite()
    },
    allowWrites: (allowed) => {
      isAllowed = allowed
      // For statements that write and return rows, which are not run by `run`.
      writer.db.pragma(`query_only = ${allowed ? 'off' : 'on'}`)
    },
    close: async () => {
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
  reader.db.pragma('cache_size = -24576')
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

function open(file: string, hooks: HandleHooks, cacheKilobytes = 32_768): Handle {
  const db = new Database(file, { timeout: 5000 })
  // SQLite gives its side files the mode of the main file.
  chmodSync(file, 0o600)
  // With NORMAL every commit survives a killed process. docs/decisions.md says what it means for a power cut.
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.pragma(`cache_size = -${cacheKilobytes}`)
  return new Handle(db, hooks)
}
