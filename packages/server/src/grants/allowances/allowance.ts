import { LruCache } from '../../lib/lru-cache.ts'

export const ALLOWED = ['requests', 'rows', 'bytes'] as const
export type Allowed = (typeof ALLOWED)[number]

/** What one holder of a grant or package may have in a minute; null is no limit. */
export type AllowanceLimits = Readonly<Record<Allowed, number | null>>

/** A whole mailbox can be walked at this pace; a loop that has gone wild is noticed within a minute. */
export const DEFAULT_LIMITS: AllowanceLimits = { requests: 6000, rows: 600_000, bytes: 500_000_000 }

const MINUTE_MS = 60_000
/** Whoever waited for exactly as long as was said is let in, whatever the last digit of a fraction is. */
const ROUNDING = 0.001
/** A holder that is forgotten begins anew, and was idle for long or is one of very many. */
const HOLDERS = 10_000
/** Refusals are told to the owner no more often than this: whoever hammers must not fill the disk with receipts. */
const TELL_EVERY_MS = 1000

export interface Exhausted {
  readonly what: Allowed
  readonly limit: number
  /** Whole seconds until it is worth asking again, at least one and at most a minute. */
  readonly seconds: number
  /** Whether this refusal leaves a receipt. */
  readonly isTold: boolean
}

interface Used extends Record<Allowed, number> {
  /** The moment that the numbers are of. */
  at: number
  toldAt: number
}

/**
 * What each holder has used of its minute. It comes back evenly: a holder may use all of it at once and then goes on
 * at the limit's pace. Rows and bytes are known only with the answer, so it is the next request that waits for them.
 */
export class Allowances {
  #limits: AllowanceLimits
  readonly #byAccessId: LruCache<string, Used>

  constructor(limits: AllowanceLimits = DEFAULT_LIMITS, byAccessId = HOLDERS) {
    this.#limits = limits
    this.#byAccessId = new LruCache(byAccessId)
  }

  get limits(): AllowanceLimits {
    return this.#limits
  }

  set limits(limits: AllowanceLimits) {
    this.#limits = limits
  }

  /** Counts a request, or says what is used up; a refused one costs nothing. */
  take(accessId: string, now = performance.now()): Exhausted | undefined {
    const used = this.#used(accessId, now)
    used.requests++
    let exhausted: Omit<Exhausted, 'isTold'> | undefined
    for (const what of ALLOWED) {
      const limit = this.#limits[what]
      if (limit === null || used[what] - limit < ROUNDING) continue
      const seconds = Math.max(1, Math.ceil((60 * (used[what] - limit)) / limit))
      if (!exhausted || seconds > exhausted.seconds) exhausted = { what, limit, seconds }
    }
    if (!exhausted) return
    used.requests--
    const isTold = now - used.toldAt >= TELL_EVERY_MS
    if (isTold) used.toldAt = now
    return { ...exhausted, isTold }
  }

  /** What an answer showed. */
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
        toldAt: Number.NEGATIVE_INFINITY,
      })
    const minutes = (now - used.at) / MINUTE_MS
    for (const what of ALLOWED) {
      const limit = this.#limits[what] ?? 0
      // After an answer larger than a whole minute's allowance the wait is a minute, not a day.
      used[what] = Math.max(0, Math.min(used[what], 2 * limit) - minutes * limit)
    }
    used.at = now
    return used
  }
}
