import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { LruCache } from '../../lib/lru-cache.ts'
import { migrate } from './migrate.ts'
import { MAIN_MIGRATIONS, RECEIPT_MIGRATIONS } from './migrations/index.ts'

export type Row = Record<string, unknown>
export type Value = string | number | bigint | null | Uint8Array

/** One connection with its prepared statements: preparing costs more than most of our reads. */
export class Handle {
  readonly db: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  readonly #parsed = new LruCache<string, object>(2000)
  readonly #kept = new LruCache<string, { readonly value: unknown }>(5000)
  #keptAt: unknown
  #dataVersion: Database.Statement | undefined
  readonly #done = new Set<string>()

  constructor(db: Database.Database) {
    this.db = db
  }

  prepare(sql: string): Database.Statement {
    return this.#statements.get(sql) ?? this.#keep(sql, this.db.prepare(sql))
  }

  #shaped(sql: string, shape: 'pluck' | 'raw'): Database.Statement {
    // A statement keeps the shape of its rows, so one text has a statement for each shape.
    const name = `${shape} ${sql}`
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
    return this.prepare(sql).run(...values).changes
  }

  /** What a stored text means, read and parsed once. The name must change whenever the text does. */
  parsed<T extends object>(name: string, read: () => T): T {
    return (this.#parsed.get(name) as T | undefined) ?? (this.#parsed.set(name, read()) as T)
  }

  /**
   * What a read found, kept until anybody writes to the file: the version that SQLite keeps for this connection moves
   * with every commit of another one, here or in another process, so the next request sees what was just revoked.
   * A connection that writes keeps nothing: it would not see its own commits.
   */
  unchanged<T>(name: string, read: () => T): T {
    if (!this.db.readonly) return read()
    this.#dataVersion ??= this.db.prepare('pragma data_version').pluck()
    const version = this.#dataVersion.get()
    if (version !== this.#keptAt) this.#kept.clear()
    this.#keptAt = version
    const known = this.#kept.get(name)
    return (known ?? this.#kept.set(name, { value: read() })).value as T
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
    return this.db.transaction(work).immediate()
  }
}

export interface Databases {
  readonly writer: Handle
  readonly reader: Handle
  /** Receipts have a file of their own: another writer lock, so that an import never delays a read's receipt. */
  readonly receipts: Handle
  close(): void
}

/** Two files in a directory that exists. */
export function openDatabases(directory: string): Databases {
  const main = join(directory, 'pdpp.db')
  const writer = open(main)
  migrate(writer.db, MAIN_MIGRATIONS, main)
  const receiptFile = join(directory, 'receipts.db')
  const receipts = open(receiptFile)
  migrate(receipts.db, RECEIPT_MIGRATIONS, receiptFile)
  // Opened read-only: it can hold temporary tables (over the word indexes) and nothing else.
  const reader = new Handle(new Database(main, { readonly: true, fileMustExist: true, timeout: 5000 }))
  reader.db.pragma('cache_size = -65536')
  return {
    writer,
    reader,
    receipts,
    close: () => {
      for (const handle of [reader, writer, receipts]) handle.db.close()
    },
  }
}

function open(file: string): Handle {
  const db = new Database(file, { timeout: 5000 })
  // SQLite gives its side files the mode of the main one.
  chmodSync(file, 0o600)
  // NORMAL keeps every commit through a kill of the process; docs/decisions.md says what it means for a power cut.
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.pragma('cache_size = -32768')
  return new Handle(db)
}
