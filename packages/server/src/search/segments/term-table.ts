/** More terms than this are forgotten, so that the table stays within a few megabytes. */
const MAX_TERMS = 65_536
const HASH_START = 0x2545f491
const HASH_FACTOR = 0x01000193

export const startHash = HASH_START
/** Adds a lower-case UTF-16 unit to a hash. */
export const addToHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, HASH_FACTOR)

/**
 * Numbers for the terms that one thread has met lately. It finds a word of an ASCII text without making a string of it,
 * and knows the order of its terms from one batch to the next, because most words come again.
 */
export class TermTable {
  terms: string[] = []
  /** Pairs by hash: a number plus one, and its hash. At least half are 0. */
  #slots = new Int32Array(8192)
  #hashes = new Int32Array(2048)
  /** The units of all terms, one after another, and where each term begins. */
  #units = new Uint16Array(16_384)
  #starts = new Uint32Array(2049)
  #sorted = new Uint32Array(0)

  /** Call between two batches. */
  forgetIfLarge(): void {
    if (this.terms.length <= MAX_TERMS) return
    this.terms = []
    this.#slots = new Int32Array(8192)
    this.#hashes = new Int32Array(2048)
    this.#units = new Uint16Array(16_384)
    this.#starts = new Uint32Array(2049)
    this.#sorted = new Uint32Array(0)
  }

  /** The number of a word in bytes of lower-case ASCII. */
  numberOfWord(bytes: Buffer, start: number, end: number, hash: number): number {
    const [slots, units] = [this.#slots, this.#units]
    const mask = slots.length - 1
    const length = end - start
    for (let slot = firstSlot(hash, mask); ; slot = (slot + 2) & mask) {
      const number = slots[slot]! - 1
      if (number < 0) return this.#add(bytes.toString('latin1', start, end), hash, slot)
      if (slots[slot + 1] !== hash) continue
      const from = this.#starts[number]!
      if (this.#starts[number + 1]! - from !== length) continue
      let at = 0
      while (at < length && units[from + at] === bytes[start + at]) at++
      if (at === length) return number
    }
  }

  numberOfTerm(term: string): number {
    let hash = HASH_START
    for (let at = 0; at < term.length; at++) hash = addToHash(hash, term.charCodeAt(at))
    const mask = this.#slots.length - 1
    for (let slot = firstSlot(hash, mask); ; slot = (slot + 2) & mask) {
      const number = this.#slots[slot]! - 1
      if (number < 0) return this.#add(term, hash, slot)
      if (this.#slots[slot + 1] === hash && this.terms[number] === term) return number
    }
  }

  /** All numbers in the order of their terms. */
  inOrder(): Uint32Array {
    const { terms } = this
    const known = this.#sorted
    if (known.length === terms.length) return known
    const added: number[] = []
    for (let number = known.length; number < terms.length; number++) added.push(number)
    sortByTerm(added, terms)
    const all = new Uint32Array(terms.length)
    let [from, to] = [0, 0]
    for (const number of added) {
      const next = this.#seek(terms[number]!, from)
      all.set(known.subarray(from, next), to)
      to += next - from
      all[to++] = number
      from = next
    }
    all.set(known.subarray(from), to)
    this.#sorted = all
    return all
  }

  /** The position of the first known term that is behind this one. */
  #seek(term: string, from: number): number {
    let [low, high] = [from, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.terms[this.#sorted[middle]!]! < term) low = middle + 1
      else high = middle
    }
    return low
  }

  #add(term: string, hash: number, slot: number): number {
    const number = this.terms.push(term) - 1
    this.#slots[slot] = number + 1
    this.#slots[slot + 1] = hash
    this.#hashes[number] = hash
    const start = this.#starts[number]!
    if (start + term.length > this.#units.length) this.#units = larger(this.#units, Uint16Array, start + term.length)
    for (let at = 0; at < term.length; at++) this.#units[start + at] = term.charCodeAt(at)
    this.#starts[number + 1] = start + term.length
    if (this.terms.length === this.#hashes.length) this.#growTerms()
    return number
  }

  #growTerms(): void {
    const size = this.#hashes.length * 2
    this.#hashes = larger(this.#hashes, Int32Array, size)
    this.#starts = larger(this.#starts, Uint32Array, size + 1)
    this.#slots = new Int32Array(size * 4)
    const mask = this.#slots.length - 1
    for (let number = 0; number < this.terms.length; number++) {
      const hash = this.#hashes[number]!
      let slot = firstSlot(hash, mask)
      while (this.#slots[slot] !== 0) slot = (slot + 2) & mask
      this.#slots[slot] = number + 1
      this.#slots[slot + 1] = hash
    }
  }
}

/** The low bits of the hash depend on the low bits of the letters only, so higher ones are mixed in. */
const firstSlot = (hash: number, mask: number): number => ((hash ^ (hash >>> 15)) << 1) & mask

export function sortByTerm(numbers: number[], terms: readonly string[]): void {
  numbers.sort((a, b) => (terms[a]! < terms[b]! ? -1 : 1))
}

function larger<T extends Int32Array | Uint32Array | Uint16Array>(
  old: T,
  kind: new (size: number) => T,
  size: number,
): T {
  const grown = new kind(Math.max(size, old.length * 2))
  grown.set(old)
  return grown
}
