import { ByteReader } from './bytes.ts'
import type { TermBytes, WordPart } from './segment.ts'

/** Terms contain no line breaks, because a line break is not a letter. */
export const encodeTerms = (terms: readonly string[]): Uint8Array => encoder.encode(terms.join('\n'))

export const decodeTerms = (bytes: Uint8Array): string[] =>
  bytes.length === 0 ? [] : decoder.decode(bytes).split('\n')

const LINE_FEED = 10
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The names of a part's terms, and the positions of their bytes. A name is decoded only when it is needed. */
export class PartTerms {
  readonly count: number
  readonly entries: Uint32Array
  /** The positions at which postings begin, and one more: the end of the last. */
  readonly postingsAt: Uint32Array
  readonly placesAt: Uint32Array
  readonly #names: Buffer
  /** The positions at which names begin, and one more: after the end of the last. */
  readonly #starts: Uint32Array

  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes)
    const [count, length] = [reader.varint(), reader.varint()]
    const names = reader.take(length)
    this.count = count
    this.#names = Buffer.from(names.buffer, names.byteOffset, length)
    this.#starts = new Uint32Array(count + 1)
    let at = 1
    for (let byte = 0; byte < length; byte++) if (names[byte] === LINE_FEED) this.#starts[at++] = byte + 1
    this.#starts[count] = length + 1
    this.entries = new Uint32Array(count)
    this.postingsAt = new Uint32Array(count + 1)
    this.placesAt = new Uint32Array(count + 1)
    for (let at = 0; at < count; at++) {
      this.entries[at] = reader.varint()
      this.postingsAt[at + 1] = this.postingsAt[at]! + reader.varint()
      this.placesAt[at + 1] = this.placesAt[at]! + reader.varint()
    }
  }

  name(at: number): string {
    return this.#names.toString('utf8', this.#starts[at]!, this.#starts[at + 1]! - 1)
  }

  names(): string[] {
    return decodeTerms(this.#names)
  }

  /** The position of a term, or -1. */
  find(term: string): number {
    const at = this.seek(term)
    return at < this.count && this.name(at) === term ? at : -1
  }

  /** The position of the first term that is equal to this one or comes after it. */
  seek(term: string): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.name(middle) < term) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The position of the first of these terms that is equal to this one or comes after it. */
export function seekTerm(terms: readonly string[], term: string): number {
  let [low, high] = [0, terms.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (terms[middle]! < term) low = middle + 1
    else high = middle
  }
  return low
}

/** The name of a part's first term. */
export function firstTerm({ terms }: WordPart): string {
  const reader = new ByteReader(terms)
  reader.varint()
  const names = reader.take(reader.varint())
  const end = names.indexOf(LINE_FEED)
  return decoder.decode(end < 0 ? names : names.subarray(0, end))
}

/** All words of a segment, in memory. */
export class SegmentWords {
  readonly terms: readonly string[]
  readonly #bytes: TermBytes[] = []

  constructor(parts: readonly WordPart[]) {
    const names: string[] = []
    for (const { terms, postings, places } of parts) {
      const head = new PartTerms(terms)
      for (const [at, name] of head.names().entries()) {
        names.push(name)
        this.#bytes.push({
          entries: head.entries[at]!,
          postings: postings.subarray(head.postingsAt[at]!, head.postingsAt[at + 1]!),
          places: places.subarray(head.placesAt[at]!, head.placesAt[at + 1]!),
        })
      }
    }
    this.terms = names
  }

  termBytes(at: number): TermBytes {
    return this.#bytes[at]!
  }

  find(term: string): TermBytes | undefined {
    const at = seekTerm(this.terms, term)
    return this.terms[at] === term ? this.#bytes[at] : undefined
  }
}
