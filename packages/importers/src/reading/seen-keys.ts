import { hash } from 'node:crypto'

/**
 * Remembers the keys of an import and their content, as 64 and 32 bits, to bound memory: 13 MB. When the table is full, it keeps
 * what it has and answers `unknown` for other keys.
 */
export class SeenKeys {
  readonly #capacity: number
  #slots: Uint32Array
  #size: number
  #count = 0

  constructor(capacity = 780_000) {
    this.#capacity = capacity
    this.#size = 1024
    this.#slots = new Uint32Array(this.#size * 3)
  }

  /** `same`: the key came before with this content. `other`: with different content. */
  meet(key: string, content: string): 'first' | 'same' | 'other' | 'unknown' {
    const digest = hash('sha1', key, 'buffer')
    const [a, b] = [digest.readUInt32LE(0), (digest.readUInt32LE(4) | 1) >>> 0] // never zero: zero is an empty slot
    const mark = hash('sha1', content, 'buffer')
    const c = mark.readUInt32LE(0)
    const slot = this.#find(a, b)
    if (this.#slots[slot + 1] !== 0) return this.#slots[slot + 2] === c ? 'same' : 'other'
    if (this.#count >= this.#capacity) return 'unknown'
    this.#slots.set([a, b, c], slot)
    this.#count++
    if (this.#count * 4 > this.#size * 3) this.#grow()
    return 'first'
  }

  #find(a: number, b: number): number {
    for (let at = a % this.#size; ; at = (at + 1) % this.#size) {
      const slot = at * 3
      if (this.#slots[slot + 1] === 0 || (this.#slots[slot] === a && this.#slots[slot + 1] === b)) return slot
    }
  }

  #grow(): void {
    const before = this.#slots
    this.#size *= 2
    this.#slots = new Uint32Array(this.#size * 3)
    for (let slot = 0; slot < before.length; slot += 3) {
      if (before[slot + 1] === 0) continue
      const [a, b] = [before[slot]!, before[slot + 1]!]
      this.#slots.set(before.subarray(slot, slot + 3), this.#find(a, b))
    }
  }
}
