import type { WordPart } from './segment.ts'

const NO_BYTES: Uint8Array = new Uint8Array(0)
const LINE_FEED = 10
/** The first bytes of a name that are in its key. */
const KEY_BYTES = 6

/**
 * The rank of each byte. Bytes in this order give the order of UTF-16 units: characters beyond the first 65,536 come
 * before those from U+E000 on.
 */
const RANKS = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 0xee ? byte : byte < 0xf0 ? byte + 5 : byte - 2))

/** Goes through the terms of a segment in order. Keeps one part in memory at a time, and creates no strings. */
export class TermCursor {
  readonly input: number
  readonly #parts: Iterator<WordPart>
  #left = 0
  #nameAt = 0
  #namesEnd = 0
  #sizesAt = 0
  /** The bytes of the whole part. The name of the term is from `nameFrom` to `nameTo`. */
  terms = NO_BYTES
  nameFrom = 0
  nameTo = 0
  /** The beginning of the name as a number, because comparing numbers is enough for most names. */
  key = 0
  isAtEnd = false
  entries = 0
  /** The bytes of the whole part, and the positions of the term's bytes. */
  postings = NO_BYTES
  postingsFrom = 0
  #postingsTo = 0
  places = NO_BYTES
  placesFrom = 0
  placesTo = 0

  constructor(parts: Iterable<WordPart>, input: number) {
    this.#parts = parts[Symbol.iterator]()
    this.input = input
  }

  /** Returns false after the last term. */
  next(): boolean {
    if (this.#left === 0 && !this.#openPart()) return false
    this.#left--
    this.#readName()
    this.entries = this.#size()
    this.postingsFrom = this.#postingsTo
    this.#postingsTo += this.#size()
    this.placesFrom = this.placesTo
    this.placesTo += this.#size()
    return true
  }

  #openPart(): boolean {
    const { value: part, done } = this.#parts.next()
    if (done) {
      this.isAtEnd = true
      return false
    }
    this.terms = part.terms
    this.postings = part.postings
    this.places = part.places
    this.#postingsTo = 0
    this.placesTo = 0
    this.#sizesAt = 0
    this.#left = this.#size()
    const bytes = this.#size()
    this.#nameAt = this.#sizesAt
    this.#namesEnd = this.#sizesAt + bytes
    this.#sizesAt = this.#namesEnd
    return true
  }

  #readName(): void {
    const { terms } = this
    const from = this.#nameAt
    const end = this.#namesEnd
    let to = from
    let high = 0
    let low = 0
    for (; to < end && terms[to] !== LINE_FEED; to++) {
      if (to - from < 3) high = (high << 8) | RANKS[terms[to]!]!
      else if (to - from < KEY_BYTES) low = (low << 8) | RANKS[terms[to]!]!
    }
    const length = to - from
    if (length < 3) high <<= (3 - length) * 8
    else if (length < KEY_BYTES) low <<= (KEY_BYTES - length) * 8
    this.key = high * 0x1000000 + low
    this.nameFrom = from
    this.nameTo = to
    this.#nameAt = to + 1
  }

  #size(): number {
    const { terms } = this
    let at = this.#sizesAt
    let byte = terms[at++]!
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = terms[at++]!
      value |= (byte & 127) << shift
    }
    this.#sizesAt = at
    return value
  }
}

/** Negative if the term of the first comes before that of the second, 0 if they are the same. */
export function compareTerms(a: TermCursor, b: TermCursor): number {
  if (a.key !== b.key) return a.key - b.key
  const length = a.nameTo - a.nameFrom
  const other = b.nameTo - b.nameFrom
  for (let at = KEY_BYTES; at < length && at < other; at++) {
    const byte = a.terms[a.nameFrom + at]!
    const otherByte = b.terms[b.nameFrom + at]!
    if (byte !== otherByte) return RANKS[byte]! - RANKS[otherByte]!
  }
  return length - other
}
