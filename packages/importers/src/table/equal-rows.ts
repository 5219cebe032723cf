import { SeenKeys } from '../reading/seen-keys.ts'

/** Max. different rows whose copies are counted. */
const MAX_REPEATED = 100_000
export const TOO_MANY_EQUAL = `repeats an earlier row, and the file has more than ${MAX_REPEATED} such rows`

/**
 * Numbers the equal rows of one file, because two coffees on one day are two payments. The first row keeps the key of
 * its content, and the second gets that key with a 2. Overlapping files repeat equal rows equally often, so they give
 * the same keys.
 */
export class EqualRows {
  readonly #seen = new SeenKeys()
  readonly #counts = new Map<string, number>()

  /** Undefined if there are too many different rows to count. */
  keyOf(key: string, content: string): string | undefined {
    if (this.#seen.meet(key, content) !== 'same') return key
    const count = this.#counts.get(key) ?? 1
    if (count === 1 && this.#counts.size >= MAX_REPEATED) return
    this.#counts.set(key, count + 1)
    return `${key}-${count + 1}`
  }
}
