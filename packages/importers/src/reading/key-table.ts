import { hash } from 'node:crypto'

const FIRST_SIZE = 1024

/**
 * Maps keys to numbers, with 16 bytes per entry for keys of any length. A key is stored as 64 bits of its hash, so two
 * different keys collide about once in 10 million imports of a million items. A full table keeps its entries and
 * accepts no new ones.
 */
export class KeyTable {
  readonly #capacity: number
  #keys: Uint32Array
  #values: Float64Array
  #size = FIRST_SIZE
  #count = 0

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#keys = new Uint32Array(FIRST_SIZE * 2)
    this.#values = new Float64Array(FIRST_SIZE)
  }

  /**
   * Calls `change` with the key's number, or with undefined for a new key, and stores the result. Returns the previous
   * number, or `full` if the key is new and the table has no room.
   */
  change(key: string, change: (before: number | undefined) => number): number | undefined | 'full' {
    const digest = hash('sha1', key, 'buffer')
    // Never zero, because zero is an empty slot.
    const [a, b] = [digest.readUInt32LE(0), (digest.readUInt32LE(4) | 1) >>> 0]
    const slot = this.#find(a, b)
    const isKnown = this.#keys[slot * 2 + 1] !== 0
    if (!isKnown && this.#count >= this.#capacity) return 'full'
    const before = isKnown ? this.#values[slot] : undefined
    this.#values[slot] = change(before)
    if (isKnown) return before
    this.#keys[slot * 2] = a
    this.#keys[slot * 2 + 1] = b
    if (++this.#count * 4 > this.#size * 3) this.#grow()
    return undefined
  }

  #find(a: number, b: number): number {
    for (let slot = a % this.#size; ; slot = (slot + 1) % this.#size) {
      const own = this.#keys[slot * 2 + 1]
      if (own === 0 || (own === b && this.#keys[slot * 2] === a)) return slot
    }
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values]
    this.#size *= 2
    this.#keys = new Uint32Array(this.#size * 2)
    this.#values = new Float64Array(this.#size)
    for (let before = 0; before < values.length; before++) {
      const [a, b] = [keys[before * 2]!, keys[before * 2 + 1]!]
      if (b === 0) continue
      const slot = this.#find(a, b)
      this.#keys[slot * 2] = a
      this.#keys[slot * 2 + 1] = b
      this.#values[slot] = values[before]!
    }
  }
}
