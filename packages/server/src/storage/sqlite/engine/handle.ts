import type Database from 'better-sqlite3'
import { RecentCache } from '../../../lib/caches/recent-cache.ts'

export type Row = Record<string, unknown>
export type Value = string | number | bigint | null | Uint8Array

export interface HandleHooks {
  /** May throw to prevent the statement. */
  readonly beforeStatement?: () => void
  /** May throw to prevent the write. */
  readonly beforeWrite?: () => void
  readonly written?: () => void
}

interface CachedRead {
  readonly value: unknown
  isUsed: boolean
}

/** Max. entries of the cache that are read ahead. After this many milliseconds, no further entry is read. */
const AHEAD = { entries: 32, ms: 2 }

/** One connection with its prepared statements, because preparing costs more than most of our reads. */
export class Handle {
  readonly db: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  readonly #forever = new RecentCache<string, object>(2000)
  readonly #untilWrite = new RecentCache<string, CachedRead>(5000)
  /** The functions that read the entries used since the last `readAhead`, in the order of their last use. */
  readonly #used = new Map<string, () => unknown>()
  #withObjects = new WeakMap<object, object>()
  #cachedVersion: unknown
  #isChecked = false
  readonly #hooks: HandleHooks
  #dataVersion: Database.Statement | undefined
  readonly #doneOnce = new Set<string>()
  /** Created once, because that costs as much as a small transaction. */
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
    const known = this.#untilWrite.get(name) ?? this.#untilWrite.set(name, { value: read(), isUsed: false })
    if (!known.isUsed) this.#noteUse(name, known, read)
    return known.value as T
  }

  #noteUse(name: string, known: CachedRead, read: () => unknown): void {
    known.isUsed = true
    this.#used.delete(name)
    this.#used.set(name, read)
    if (this.#used.size > AHEAD.entries) this.#used.delete(this.#used.keys().next().value!)
  }

  /**
   * Call when there is time after a write. Reads the entries again that were used since the last call, because the next
   * request probably needs them. Ignores errors, because that request reads the same and reports them.
   */
  readAhead(): void {
    const until = performance.now() + AHEAD.ms
    const used = [...this.#used].reverse()
    this.#used.clear()
    try {
      this.noteWrite()
      this.#checkVersion()
      for (const [name, read] of used) {
        if (performance.now() > until) return
        if (!this.#untilWrite.get(name)) this.#untilWrite.set(name, { value: read(), isUsed: false })
      }
    } catch {}
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
