import { KeyTable } from './key-table.ts'

/** Max. items that are remembered. For the others, every copy counts as the newest. */
const MAX_ITEMS = 1_500_000
const TAKEN = Number.POSITIVE_INFINITY

/**
 * Finds the newest copy of each item, because overlapping exports contain an item several times. First call `offer` for
 * every copy, then `take`. Otherwise the last file would win, and importing the same files again would change records
 * back and forth.
 */
export class NewestCopies {
  readonly #ranks = new KeyTable(MAX_ITEMS)

  /** `rank` is larger for a newer copy: its time, or its number. */
  offer(id: string, rank: number): void {
    this.#ranks.change(id, (best) => (best === undefined ? rank : Math.max(rank, best)))
  }

  /** True for exactly one of the newest copies. */
  take(id: string, rank: number): boolean {
    // A copy that was taken counts as newer than all others.
    const best = this.#ranks.change(id, (known) => (known === undefined || rank >= known ? TAKEN : known))
    return typeof best !== 'number' || rank >= best
  }
}
