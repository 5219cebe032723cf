/** Max. items that are remembered. Of the others, every copy counts as the newest. */
const MAX_ITEMS = 300_000

/**
 * Finds the newest copy of each item, because overlapping exports hold one item several times. Offer every copy first, then
 * take: without that, the last file would win, and importing the same files again would change records back and forth.
 */
export class NewestCopies {
  readonly #ranks = new Map<string, number>()
  readonly #taken = new Set<string>()

  /** `rank` is larger for a newer copy: its time, or its number. */
  offer(id: string, rank: number): void {
    const best = this.#ranks.get(id)
    if (best === undefined ? this.#ranks.size < MAX_ITEMS : rank > best) this.#ranks.set(id, rank)
  }

  /** True for one newest copy. */
  take(id: string, rank: number): boolean {
    const best = this.#ranks.get(id)
    if (best === undefined) return true
    if (rank < best || this.#taken.has(id)) return false
    this.#taken.add(id)
    return true
  }
}
