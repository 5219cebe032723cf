import { LARGE_BYTES } from '../records/record-brief.ts'

type Members = Readonly<Record<string, unknown>>

/** Max. units of large records that one search shows. */
const MAX_SHOWN = 256 * 1024 * 1024

/**
 * Limits the large records that one search shows. Further ones are shown without excerpts. Counts only members that the
 * scope shows, because the size of a hidden field must not change what a hit shows.
 */
export class LargeHits {
  #room: number

  constructor(room = MAX_SHOWN) {
    this.#room = room
  }

  /** True if no further large record is shown. */
  get isFull(): boolean {
    return this.#room <= 0
  }

  /** Call for each record that is stored as a large one, with the members that the scope shows. */
  shows(members: Members): boolean {
    const units = Object.values(members).reduce((sum: number, value) => sum + unitsOf(value), 0)
    // Without its hidden members it is a small record, and these are always shown.
    if (units <= LARGE_BYTES) return true
    if (this.isFull) return false
    this.#room -= units
    return true
  }
}

const unitsOf = (value: unknown): number => (typeof value === 'string' ? value : JSON.stringify(value)).length
