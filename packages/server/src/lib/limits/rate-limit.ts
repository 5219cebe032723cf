interface Window {
  count: number
  endsAt: number
}

interface Limits {
  /** Max. uses per name in one window. */
  readonly count: number
  /** Max. uses of all names together in one window. Unlimited if absent. */
  readonly countForAll?: number
  readonly windowMs: number
  /** Max. names in memory. When there are more, the oldest is dropped. */
  readonly names?: number
}

/**
 * Counts uses by name, in windows that begin with a name's first use. Uses the process's own clock, so that a change of
 * the machine's clock neither locks anybody out nor lifts a limit.
 */
export class RateLimit {
  readonly #limits: Required<Limits>
  readonly #windows = new Map<string, Window>()
  readonly #all: Window = { count: 0, endsAt: 0 }

  constructor(limits: Limits) {
    this.#limits = { countForAll: Number.POSITIVE_INFINITY, names: 10_000, ...limits }
  }

  /** Counts one use and returns undefined. If a limit is reached, counts nothing and returns the seconds to wait. */
  take(name: string, now = performance.now()): number | undefined {
    const { count, countForAll, windowMs } = this.#limits
    const own = this.#windowOf(name, now)
    if (own.count >= count) return secondsUntil(own.endsAt, now)
    if (this.#all.endsAt <= now) Object.assign(this.#all, { count: 0, endsAt: now + windowMs })
    if (this.#all.count >= countForAll) return secondsUntil(this.#all.endsAt, now)
    own.count++
    this.#all.count++
    return
  }

  /** Forgets the uses of a name. Call after a success, so that earlier failed attempts no longer count. */
  forgive(name: string): void {
    const window = this.#windows.get(name)
    if (!window) return
    this.#windows.delete(name)
    this.#all.count = Math.max(0, this.#all.count - window.count)
  }

  #windowOf(name: string, now: number): Window {
    const known = this.#windows.get(name)
    if (known && known.endsAt > now) return known
    this.#windows.delete(name)
    // Names are added in order of time, so the window of the first name ends first.
    if (this.#windows.size >= this.#limits.names) this.#windows.delete(this.#windows.keys().next().value!)
    const window = { count: 0, endsAt: now + this.#limits.windowMs }
    this.#windows.set(name, window)
    return window
  }
}

const secondsUntil = (endsAt: number, now: number): number => Math.max(1, Math.ceil((endsAt - now) / 1000))

/**
 * The name under which a rate limit counts an address. An IPv6 address counts as its /64 network, because one household
 * has a whole /64 and could otherwise start afresh with every address.
 */
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
