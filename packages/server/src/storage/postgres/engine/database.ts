import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { deadlinePassed, type RequestSignal } from '../../../lib/request-signal.ts'
import { explained, isCancelled, isConnectionLost, isCutOff, isPooled, isRepeatable } from './fault.ts'
import { OpenTransaction } from './open-transaction.ts'
import { TYPES } from './pg-values.ts'
import { Session } from './session.ts'
import { Statements } from './statement.ts'

export interface DatabaseOptions {
  readonly url: string
  /** False behind a pooler that shares connections between transactions and does not support prepared statements. */
  readonly prepares?: boolean | undefined
  readonly maxConnections?: number | undefined
}

const SNAPSHOT = 'begin isolation level repeatable read read only'
const MAX_CONNECTIONS = 10
const CONNECT_MS = 10_000
const ATTEMPTS = 5
const BACK_OFF_MS = 15

/** Called before every use. Throws if this process may not use the database. */
export type Guard = () => Promise<void> | undefined

/**
 * The connections to one database. A statement outside of a transaction runs on any of them. Every transaction is
 * repeated if it collides with another one, so its work must be safe to repeat. A read whose connection breaks is
 * repeated once on another connection. A write is not repeated, because it may have been committed.
 */
export class Database extends Session {
  readonly #pool: pg.Pool
  /** Ends statements on other connections. It connects when it is first needed. */
  readonly #control: pg.Pool
  readonly #statements: Statements
  readonly #door: { guard: Guard | undefined }
  #onWrite: () => void = () => {}
  /** Grows with every write of this process. */
  writes = 0
  /** For threads, which have their own connections. */
  readonly options: DatabaseOptions

  constructor(options: DatabaseOptions) {
    const { url, prepares = true, maxConnections = MAX_CONNECTIONS } = options
    const pool = newPool(url, maxConnections)
    const statements = new Statements(prepares)
    const door: { guard: Guard | undefined } = { guard: undefined }
    const guarded = async (query: pg.QueryConfig) => {
      await door.guard?.()
      return pool.query(query)
    }
    super((query) => repeated(() => guarded(query), isRead(query.text)), statements)
    this.#door = door
    this.options = options
    this.#pool = pool
    this.#control = newPool(url, 1)
    this.#statements = statements
  }

  guard(check: Guard): void {
    this.#door.guard = check
  }

  /** Calls the listener after transactions of this process, except quiet ones. */
  onWrite(listener: () => void): void {
    this.#onWrite = listener
  }

  async transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const result = await this.quiet(work)
    this.#onWrite()
    return result
  }

  /** A transaction that `onWrite` does not report. */
  async quiet<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const result = await this.#inTransaction('begin', work)
    this.writes++
    return result
  }

  /** Runs the work in a transaction in which all reads see the same moment. */
  snapshot<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#inTransaction(SNAPSHOT, work)
  }

  /** A snapshot that ends early if the client has disconnected or the deadline has passed. */
  async cancellable<T>(signal: RequestSignal | undefined, work: (session: Session) => Promise<T>): Promise<T> {
    if (!signal) return this.snapshot(work)
    signal.check()
    const limit = Math.max(1, Math.ceil(signal.remainingMs))
    const begin = `${SNAPSHOT}; set local statement_timeout = ${limit}; select pg_backend_pid() pid`
    try {
      return await this.#inTransaction(begin, work, signal)
    } catch (error) {
      if (!isCancelled(error)) throw error
      signal.check()
      throw deadlinePassed(signal.limitMs)
    }
  }

  /** Writes with one statement. */
  async write(sql: string, ...values: unknown[]): Promise<number> {
    const written = await this.run(sql, ...values)
    this.writes++
    this.#onWrite()
    return written
  }

  /** True if a pooler shares connections, so that a prepared statement of one client collides with that of another. */
  async losesPrepared(): Promise<boolean> {
    const name = `pdpp_${randomUUID()}`
    const clients = await Promise.all([this.#pool.connect(), this.#pool.connect()])
    try {
      for (const client of clients) await client.query({ name, text: 'select 1' })
      return false
    } catch (error) {
      if (isPooled(error)) return true
      throw error
    } finally {
      for (const client of clients) client.release(true)
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#control.end()])
  }

  #inTransaction<T>(begin: string, work: (session: Session) => Promise<T>, signal?: RequestSignal): Promise<T> {
    return repeated(async () => {
      await this.#door.guard?.()
      const client = await this.#pool.connect()
      let [isBroken, isReleased] = [false, false]
      let cancelled: Promise<unknown> | undefined
      let stopListening = () => {}
      const begun: Promise<unknown> = client.query(begin)
      const statements = new OpenTransaction(client, begun)
      try {
        if (signal)
          stopListening = signal.onAbort(() => {
            cancelled ??= begun.then((answer) => this.#cancel(pidOf(answer))).catch(() => {})
          })
        const result = await work(new Session((query) => statements.run(query), this.#statements)).finally(() =>
          statements.close(),
        )
        await begun
        signal?.check()
        const ended = client.query('commit')
        // The caller of a read need not wait for its transaction to end.
        if (begin === 'begin') await ended
        else {
          isReleased = true
          ended.then(
            () => client.release(),
            () => client.release(true),
          )
        }
        return result
      } catch (failure) {
        await cancelled
        const error = statements.reasonOf(failure)
        isBroken = isConnectionLost(error) || !(await rolledBack(client))
        throw error
      } finally {
        stopListening()
        // Wait for a running cancellation, because a late one would end a statement of the connection's next user.
        await cancelled
        if (!isReleased) client.release(isBroken)
      }
    }, begin !== 'begin')
  }

  /** Ends the statement that runs on a connection. If the cancellation fails, the statement ends at its time limit. */
  #cancel(pid: number): Promise<unknown> {
    return this.#control.query('select pg_cancel_backend($1)', [pid])
  }
}

const pidOf = (begun: unknown): number => (begun as pg.QueryResult<{ pid: number }>[]).at(-1)!.rows[0]!.pid

function newPool(url: string, max: number): pg.Pool {
  // With a pipeline, a statement of a transaction is sent without waiting for the answer to the one before.
  const settings = { connectionString: url, max, connectionTimeoutMillis: CONNECT_MS, types: TYPES, pipeline: true }
  const pool = new pg.Pool({ ...settings, application_name: 'pdpp' })
  // The pool itself drops a connection that breaks while nobody uses it.
  pool.on('error', () => {})
  // If a connection breaks between two statements of a transaction, the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}

/** A statement that changes nothing and locks nothing. */
const isRead = (text: string | undefined): boolean => /^\s*select\b(?!.*\bfor update\b)/is.test(text ?? '')

/** Repeats work that collided with other work. Repeats a read once if its connection broke. */
async function repeated<T>(work: () => Promise<T>, mayBeCutOff: boolean): Promise<T> {
  let wasCutOff = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isFirstCut: boolean = mayBeCutOff && !wasCutOff && isCutOff(error)
      if (attempt === ATTEMPTS || !(isFirstCut || isRepeatable(error))) throw explained(error)
      wasCutOff ||= isFirstCut
      await pause(BACK_OFF_MS * attempt * (0.5 + Math.random()))
    }
  }
}
