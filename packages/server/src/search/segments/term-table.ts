/** With more terms than this, the table is emptied, so that it stays within a few megabytes. */
const MAX_TERMS = 65_536
const MAX_BYTES_PER_UNIT = 3
const HASH_START = 0x2545f491
const HASH_FACTOR = 0x01000193
/** Replaces a hash of 0, because 0 marks short words. */
const OTHER_HASH = 1

/** Words of up to eight ASCII letters fit into two numbers, so comparing the numbers is enough. */
export const PACKED_LETTERS = 8
const PACKED_FIRST = 4

/**
 * Gives numbers to the terms that one thread has met recently. It finds a word in ASCII bytes without creating a
 * string. It also remembers the order of its terms, because most words of a batch were in earlier batches too.
 */
export class TermTable {
  terms: string[] = []
  /**
   * Hash table of short words. Four numbers each: the term's number plus one, the first letters, the other letters, 0.
   * At least half of the table is empty.
   */
  #packed = new Int32Array(16_384)
  #packedCount = 0
  /**
   * Hash table of all other words. Two numbers each: the term's number plus one, and its hash. At least half of the
   * table is empty.
   */
  #slots = new Int32Array(8192)
  #hashes = new Int32Array(2048)
  /** The UTF-8 bytes of all terms one after another, and the position at which each term begins. */
  letters: Buffer = Buffer.allocUnsafe(16_384)
  starts: Uint32Array<ArrayBuffer> = new Uint32Array(2049)
  #sorted = new Uint32Array(0)

  /** Call between two batches. */
  forgetIfLarge(): void {
    if (this.terms.length <= MAX_TERMS) return
    this.terms = []
    this.#packed = new Int32Array(16_384)
    this.#packedCount = 0
    this.#slots = new Int32Array(8192)
    this.#hashes = new Int32Array(2048)
    this.letters = Buffer.allocUnsafe(16_384)
    this.starts = new Uint32Array(2049)
    this.#sorted = new Uint32Array(0)
  }

  /**
   * The number of a word of up to eight lower-case ASCII letters. `first` has the first four letters, `rest` the
   * others.
   */
  numberOfPacked(first: number, rest: number): number {
    const packed = this.#packed
    const mask = packed.length - 1
    for (let slot = packedSlot(first, rest, mask); ; slot = (slot + 4) & mask) {
      const number = packed[slot]! - 1
      if (number < 0) return this.#addPacked(first, rest, slot)
      if (packed[slot + 1] === first && packed[slot + 2] === rest) return number
    }
  }

  /** The number of a longer word. The bytes are lower-case ASCII. */
  numberOfWord(bytes: Buffer, start: number, end: number): number {
    let hash = HASH_START
    for (let at = start; at < end; at++) hash = addToHash(hash, bytes[at]!)
    hash ||= OTHER_HASH
    const [slots, letters] = [this.#slots, this.letters]
    const mask = slots.length - 1
    const length = end - start
    for (let slot = firstSlot(hash, mask); ; slot = (slot + 2) & mask) {
      const number = slots[slot]! - 1
      if (number < 0) return this.#addHashed(bytes.toString('latin1', start, end), hash, slot)
      if (slots[slot + 1] !== hash) continue
      const from = this.starts[number]!
      if (this.starts[number + 1]! - from !== length) continue
      let at = 0
      while (at < length && letters[from + at] === bytes[start + at]) at++
      if (at === length) return number
    }
  }

  numberOfTerm(term: string): number {
    let [hash, first, rest, isPacked] = [HASH_START, 0, 0, term.length <= PACKED_LETTERS]
    for (let at = 0; at < term.length; at++) {
      const unit = term.charCodeAt(at)
      hash = addToHash(hash, unit)
      if (unit > 127) isPacked = false
      if (at < PACKED_FIRST) first = (first << 8) | unit
      else rest = (rest << 8) | unit
    }
    if (isPacked) return this.numberOfPacked(first, rest)
    hash ||= OTHER_HASH
    const mask = this.#slots.length - 1
    for (let slot = firstSlot(hash, mask); ; slot = (slot + 2) & mask) {
      const number = this.#slots[slot]! - 1
      if (number < 0) return this.#addHashed(term, hash, slot)
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

  /** The position of the first known term that comes after this one. */
  #seek(term: string, from: number): number {
    let [low, high] = [from, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.terms[this.#sorted[middle]!]! < term) low = middle + 1
      else high = middle
    }
    return low
  }

  #addPacked(first: number, rest: number, slot: number): number {
    const number = this.#add(lettersOf(first) + lettersOf(rest), 0)
    this.#packed[slot] = number + 1
    this.#packed[slot + 1] = first
    this.#packed[slot + 2] = rest
    if (++this.#packedCount * 8 > this.#packed.length) this.#growPacked()
    return number
  }

  #growPacked(): void {
    const old = this.#packed
    this.#packed = new Int32Array(old.length * 2)
    const mask = this.#packed.length - 1
    for (let from = 0; from < old.length; from += 4) {
      if (old[from] === 0) continue
      let slot = packedSlot(old[from + 1]!, old[from + 2]!, mask)
      while (this.#packed[slot] !== 0) slot = (slot + 4) & mask
      this.#packed.set(old.subarray(from, from + 4), slot)
    }
  }

  #addHashed(term: string, hash: number, slot: number): number {
    const number = this.#add(term, hash)
    this.#slots[slot] = number + 1
    this.#slots[slot + 1] = hash
    if (this.terms.length === this.#hashes.length) this.#growTerms()
    return number
  }

  #add(term: string, hash: number): number {
    if (this.terms.length === this.#hashes.length) this.#growTerms()
    const number = this.terms.push(term) - 1
    this.#hashes[number] = hash
    const start = this.starts[number]!
    const maxEnd = start + term.length * MAX_BYTES_PER_UNIT
    if (maxEnd > this.letters.length) {
      const larger = Buffer.allocUnsafe(maxEnd * 2)
      this.letters.copy(larger, 0, 0, start)
      this.letters = larger
    }
    this.starts[number + 1] = start + this.letters.write(term, start, 'utf8')
    return number
  }

  #growTerms(): void {
    const size = this.#hashes.length * 2
    this.#hashes = larger(this.#hashes, Int32Array, size)
    this.starts = larger(this.starts, Uint32Array, size + 1)
    this.#slots = new Int32Array(size * 4)
    const mask = this.#slots.length - 1
    for (let number = 0; number < this.terms.length; number++) {
      const hash = this.#hashes[number]!
      if (hash === 0) continue
      let slot = firstSlot(hash, mask)
      while (this.#slots[slot] !== 0) slot = (slot + 2) & mask
      this.#slots[slot] = number + 1
      this.#slots[slot + 1] = hash
    }
  }
}

const addToHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, HASH_FACTOR)

/** Converts a number back to letters. The first letter is in the highest byte that is not 0. */
function lettersOf(letters: number): string {
  let text = ''
  for (let shift = 24; shift >= 0; shift -= 8) {
    const code = (letters >>> shift) & 255
    if (code !== 0) text += String.fromCharCode(code)
  }
  return text
}

function packedSlot(first: number, rest: number, mask: number): number {
  const mixed = Math.imul(first ^ Math.imul(rest, 0x85ebca6b), 0x9e3779b1)
  return ((mixed ^ (mixed >>> 15)) << 2) & mask
}

/** The low bits of the hash depend only on the low bits of the letters, so higher bits are mixed in. */
const firstSlot = (hash: number, mask: number): number => ((hash ^ (hash >>> 15)) << 1) & mask

export function sortByTerm(numbers: number[], terms: readonly string[]): number[] {
  return numbers.sort((a, b) => (terms[a]! < terms[b]! ? -1 : 1))
}

function larger<T extends Int32Array | Uint32Array>(old: T, kind: new (size: number) => T, size: number): T {
  const grown = new kind(size)
  grown.set(old)
  return grown
}
