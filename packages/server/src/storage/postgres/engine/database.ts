import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { deadlinePassed, type RequestSignal, requestAborted } from '../../../lib/request-signal.ts'
import { explained, isCancelled, isConnectionLost, isRepeatable } from './fault.ts'
import { TYPES } from './pg-values.ts'
import { Session } from './session.ts'
import { Statements } from './statement.ts'

export interface DatabaseOptions {
  readonly url: string
  /** False behind a pooler that shares connections between transactions and knows no prepared statements. */
  readonly prepares?: boolean | undefined
  readonly maxConnections?: number | undefined
}

const SNAPSHOT = 'begin isolation level repeatable read read only'
const MAX_CONNECTIONS = 10
const CONNECT_MS = 10_000
const ATTEMPTS = 5
const BACK_OFF_MS = 15

/**
 * The connections to one database. A statement outside of a transaction runs on any of them. Every transaction is
 * repeated if it collides with another one, so its work must not do anything that cannot be done twice.
 */
export class Database extends Session {
  readonly #pool: pg.Pool
  readonly #statements: Statements
  #onWrite: () => void = () => {}
  /** Reads that ended without an answer, because the caller had gone or the time was over. */
  givenUp = 0

  constructor({ url, prepares = true, maxConnections = MAX_CONNECTIONS }: DatabaseOptions) {
    const pool = new pg.Pool({
      connectionString: url,
      max: maxConnections,
      connectionTimeoutMillis: CONNECT_MS,
      types: TYPES,
      application_name: 'pdpp',
    })
    // A connection that breaks while nobody uses it is dropped by the pool.
    pool.on('error', () => {})
    const statements = new Statements(prepares)
    super((query) => repeated(() => pool.query(query)), statements)
    this.#pool = pool
    this.#statements = statements
  }

  get load(): { running: number; waiting: number } {
    return { running: this.#pool.totalCount - this.#pool.idleCount, waiting: this.#pool.waitingCount }
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
  quiet<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#inTransaction('begin', work)
  }

  /** All reads see the same moment. */
  snapshot<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#inTransaction(SNAPSHOT, work)
  }

  /** A snapshot that ends when the caller has gone or has waited too long. */
  async cancellable<T>(signal: RequestSignal | undefined, work: (session: Session) => Promise<T>): Promise<T> {
    if (!signal) return this.snapshot(work)
    signal.check()
    let stopListening = () => {}
    const gone = new Promise<never>((_, reject) => {
      stopListening = signal.onAbort(() => reject(requestAborted()))
    })
    const limit = Math.max(1, Math.ceil(signal.remainingMs))
    const reading = this.#inTransaction(`${SNAPSHOT}; set local statement_timeout = ${limit}`, async (session) => {
      const result = await work(session)
      signal.check()
      return result
    })
    // After an abort nobody waits for it any more.
    reading.catch(() => {})
    try {
      return await Promise.race([reading, gone])
    } catch (error) {
      if (isCancelled(error) || (error as { code?: unknown }).code === 'request_timeout') this.givenUp++
      throw isCancelled(error) ? deadlinePassed(signal.limitMs) : error
    } finally {
      stopListening()
    }
  }

  /** Writes with one statement. */
  async write(sql: string, ...values: unknown[]): Promise<number> {
    const written = await this.run(sql, ...values)
    this.#onWrite()
    return written
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  #inTransaction<T>(begin: string, work: (session: Session) => Promise<T>): Promise<T> {
    return repeated(async () => {
      const client = await this.#pool.connect()
      let isBroken = false
      try {
        await client.query(begin)
        const result = await work(new Session((query) => client.query(query), this.#statements))
        await client.query('commit')
        return result
      } catch (error) {
        isBroken = isConnectionLost(error) || !(await rolledBack(client))
        throw error
      } finally {
        client.release(isBroken)
      }
    })
  }
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}

/** Repeats work that collided with other work. */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS || !isRepeatable(error)) throw explained(error)
      await pause(BACK_OFF_MS * attempt * (0.5 + Math.random()))
    }
  }
}
