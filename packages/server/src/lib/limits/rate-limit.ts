/**
 * At most `count` of something in `windowMs`, by name. Remembers a bounded number of names. Time is the process's own, which
 * no change of the machine's clock turns back or forward.
 */
export class RateLimit {
  readonly #count: number
  readonly #windowMs: number
  readonly #names: number
  readonly #used = new Map<string, { until: number; count: number }>()

  constructor(options: { count: number; windowMs: number; names?: number }) {
    this.#count = options.count
    this.#windowMs = options.windowMs
    this.#names = options.names ?? 10_000
  }

  /** Counts one; answers after how many seconds to try again, or undefined when this one may pass. */
  take(name: string, now = performance.now()): number | undefined {
    const entry = this.#used.get(name)
    if (!entry || entry.until <= now) {
      this.#used.delete(name)
      // Names are added in order of time, so the first is the one whose window ends first.
      if (this.#used.size >= this.#names) this.#used.delete(this.#used.keys().next().value as string)
      this.#used.set(name, { until: now + this.#windowMs, count: 1 })
      return
    }
    if (entry.count >= this.#count) return Math.max(1, Math.ceil((entry.until - now) / 1000))
    entry.count++
    return
  }
}
