import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '../../../lib/startup-error.ts'
import { Database, type DatabaseOptions } from '../engine/database.ts'
import { StoreLost } from '../engine/fault.ts'
import type { LeaseOptions, LeaseTimes } from './lease-options.ts'

const TIMES: LeaseTimes = { leaseMs: 15_000, renewMs: 5000 }
const LOOK_MS = 250

/** Not in the migrations, because a process must hold the lease before it migrates. */
const TABLE = `create table if not exists pdpp_server (one smallint primary key, server text not null,
  place text not null, until timestamptz not null)`
const UNTIL = `now() + ? * interval '1 millisecond'`

interface Seen {
  readonly server: string
  readonly place: string
  readonly until: string
}

/**
 * Allows one process at a time to use a database. The process writes its name into a row and renews the row regularly.
 * All times are by the clock of the database. The lease has its own connection, so that busy reads cannot delay it.
 */
export class Lease {
  readonly #database: Database
  readonly #options: LeaseOptions
  readonly #times: LeaseTimes
  readonly #server = randomUUID()
  #timer: NodeJS.Timeout | undefined
  #renewal: Promise<void> | undefined
  #validUntil = 0
  #isLost = false

  private constructor(database: Database, options: LeaseOptions) {
    this.#database = database
    this.#options = options
    this.#times = options.times ?? TIMES
  }

  /**
   * Takes the lease. If another process ended without releasing it, waits until the lease expires. Refuses if the other
   * process is alive.
   */
  static async take(database: DatabaseOptions, options: LeaseOptions): Promise<Lease> {
    const lease = new Lease(new Database({ ...database, maxConnections: 1 }), options)
    try {
      await lease.#take()
    } catch (error) {
      await lease.#database.close()
      throw error
    }
    return lease
  }

  /** Call before every use of the database. A process that was suspended renews its lease first. */
  check(): Promise<void> | undefined {
    if (this.#isLost) throw new StoreLost()
    return Date.now() < this.#validUntil ? undefined : this.#renew()
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#renewal?.catch(() => {})
    await this.#database.run('delete from pdpp_server where server = ?', this.#server).catch(() => {})
    await this.#database.close()
  }

  async #take(): Promise<void> {
    if ((await this.#database.column(`select to_regclass('pdpp_server')::text`))[0] == null)
      await this.#database.run(TABLE)
    let first: Seen | undefined
    while (!(await this.#taken())) {
      const [seen] = await this.#database.all<Seen>('select server, place, until::text until from pdpp_server')
      first ??= seen
      if (seen && (seen.server !== first?.server || seen.until !== first.until)) throw inUse(seen)
      await pause(Math.min(LOOK_MS, this.#times.renewMs))
    }
    this.#timer = setInterval(() => void this.#renew().catch(() => {}), this.#times.renewMs).unref()
  }

  async #taken(): Promise<boolean> {
    const sentAt = Date.now()
    const sql = `insert into pdpp_server as s (one, server, place, until) values (1, ?, ?, ${UNTIL})
      on conflict (one) do update set server = excluded.server, place = excluded.place, until = excluded.until
      where s.until < now() or s.place = excluded.place`
    const { leaseMs } = this.#times
    const isTaken = (await this.#database.run(sql, this.#server, this.#options.place, leaseMs)) === 1
    if (isTaken) this.#validUntil = sentAt + leaseMs
    return isTaken
  }

  #renew(): Promise<void> {
    this.#renewal ??= this.#extend().finally(() => (this.#renewal = undefined))
    return this.#renewal
  }

  async #extend(): Promise<void> {
    const sentAt = Date.now()
    const { leaseMs } = this.#times
    const sql = `update pdpp_server set until = ${UNTIL} where server = ?`
    if ((await this.#database.run(sql, leaseMs, this.#server)) === 1) {
      this.#validUntil = sentAt + leaseMs
      return
    }
    if (this.#isLost) throw new StoreLost()
    this.#isLost = true
    clearInterval(this.#timer)
    const error = new StoreLost()
    this.#options.onLost(error)
    throw error
  }
}

const inUse = ({ place }: Seen): StartupError =>
  new StartupError(
    `Another pdpp server (${place.split(' ')[0]}) is using this database. Stop it first, or name another database in PDPP_DATABASE_URL.`,
  )
