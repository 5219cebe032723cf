import { RecentCache } from '../../lib/caches/recent-cache.ts'

export const ALLOWED = ['requests', 'rows', 'bytes'] as const
type Allowed = (typeof ALLOWED)[number]

/** Max. requests, rows and bytes per minute for one grant or package. Null means no limit. */
export type AllowanceLimits = Readonly<Record<Allowed, number | null>>

/** High enough to read a whole mailbox, low enough to stop a runaway loop within a minute. */
export const DEFAULT_LIMITS: AllowanceLimits = { requests: 6000, rows: 600_000, bytes: 500_000_000 }

const MINUTE_MS = 60_000
/** Tolerance for rounding errors, so that a client that waits exactly as long as announced is accepted. */
const ROUNDING = 0.001
/**
 * Max. grants and packages whose use is remembered, at least the last half of them. One that is dropped gets a full
 * allowance.
 */
const MAX_REMEMBERED = 20_000
/** Min. milliseconds between receipts of refusals for one grant. More would let a fast client fill the disk. */
const REPORT_EVERY_MS = 1000

export interface Exhausted {
  readonly what: Allowed
  readonly limit: number
  /** Whole seconds until the next request can succeed, 1 to 60. */
  readonly seconds: number
  /** True if this refusal leaves a receipt. */
  readonly isReported: boolean
}

interface Used extends Record<Allowed, number> {
  /** When the numbers were last updated. */
  at: number
  reportedAt: number
}

/**
 * How much of its allowance each grant or package has used. The allowance refills evenly: a client may use all of it at
 * once and then continues at the rate of the limit. The rows and bytes of an answer are known only when it is ready, so
 * the next request waits for them.
 */
export class Allowances {
  #limits: AllowanceLimits
  readonly #byAccessId: RecentCache<string, Used>

  constructor(limits: AllowanceLimits = DEFAULT_LIMITS, maxRemembered = MAX_REMEMBERED) {
    this.#limits = limits
    this.#byAccessId = new RecentCache(maxRemembered)
  }

  get limits(): AllowanceLimits {
    return this.#limits
  }

  set limits(limits: AllowanceLimits) {
    this.#limits = limits
  }

  /** Counts a request. If an allowance is used up, returns which one; a refused request is not counted. */
  take(accessId: string, now = performance.now()): Exhausted | undefined {
    const used = this.#used(accessId, now)
    used.requests++
    let exhausted: Omit<Exhausted, 'isReported'> | undefined
    for (const what of ALLOWED) {
      const limit = this.#limits[what]
      if (limit === null || used[what] - limit < ROUNDING) continue
      const seconds = Math.max(1, Math.ceil((60 * (used[what] - limit)) / limit))
      if (!exhausted || seconds > exhausted.seconds) exhausted = { what, limit, seconds }
    }
    if (!exhausted) return
    used.requests--
    const isReported = now - used.reportedAt >= REPORT_EVERY_MS
    if (isReported) used.reportedAt = now
    return { ...exhausted, isReported }
  }

  /** Counts the rows and bytes of an answer. */
  charge(accessId: string, rows: number, bytes: number, now = performance.now()): void {
    const used = this.#used(accessId, now)
    used.rows += rows
    used.bytes += bytes
  }

  #used(accessId: string, now: number): Used {
    const used = this.#byAccessId.get(accessId)
    if (!used)
      return this.#byAccessId.set(accessId, {
        requests: 0,
        rows: 0,
        bytes: 0,
        at: now,
        reportedAt: Number.NEGATIVE_INFINITY,
      })
    const minutes = (now - used.at) / MINUTE_MS
    for (const what of ALLOWED) {
      const limit = this.#limits[what] ?? 0
      // Cap the use, so that an answer far above the allowance causes a wait of one minute, not of a day.
      used[what] = Math.max(0, Math.min(used[what], 2 * limit) - minutes * limit)
    }
    used.at = now
    return used
  }
}
