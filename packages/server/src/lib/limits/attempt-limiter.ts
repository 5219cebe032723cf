/**
 * So many attempts in a stretch of time: for each key, and for all keys together. Bounded whoever knocks. Time is the
 * process's own: a clock that is set back must not lock the owner out.
 */
export class AttemptLimiter {
  readonly #limits: { perKey: number; together: number; windowMs: number; keys: number }
  readonly #counts = new Map<string, { count: number; endsAt: number }>()
  readonly #together = { count: 0, endsAt: 0 }

  constructor(limits: { perKey: number; together: number; windowMs: number; keys?: number }) {
    this.#limits = { keys: 10_000, ...limits }
  }

  /** Counts an attempt. Undefined when it may go on, otherwise the milliseconds to wait. */
  attempt(key: string, now = performance.now()): number | undefined {
    const { perKey, together, windowMs } = this.#limits
    const own = this.#entry(key, now)
    if (own.count >= perKey) return own.endsAt - now
    if (this.#together.endsAt <= now) Object.assign(this.#together, { count: 0, endsAt: now + windowMs })
    if (this.#together.count >= together) return this.#together.endsAt - now
    own.count++
    this.#together.count++
    return
  }

  /** The right one got in: earlier mistakes of theirs no longer count. */
  forgive(key: string): void {
    const entry = this.#counts.get(key)
    if (!entry) return
    this.#counts.delete(key)
    this.#together.count = Math.max(0, this.#together.count - entry.count)
  }

  #entry(key: string, now: number): { count: number; endsAt: number } {
    const known = this.#counts.get(key)
    if (known && known.endsAt > now) return known
    this.#counts.delete(key)
    // The oldest goes first; whoever makes many keys still meets the limit for all together.
    if (this.#counts.size >= this.#limits.keys) this.#counts.delete(this.#counts.keys().next().value!)
    const entry = { count: 0, endsAt: now + this.#limits.windowMs }
    this.#counts.set(key, entry)
    return entry
  }
}

/** A household has a whole /64 of IPv6 addresses; each of them would otherwise be a fresh start. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
