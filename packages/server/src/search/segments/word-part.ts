import { ByteReader } from './bytes.ts'
import type { TermBytes, WordPart } from './segment.ts'

/** Terms contain no line breaks, because a line break is not a letter. */
export const encodeTerms = (terms: readonly string[]): Uint8Array => encoder.encode(terms.join('\n'))

export const decodeTerms = (bytes: Uint8Array): string[] =>
  bytes.length === 0 ? [] : decoder.decode(bytes).split('\n')

const LINE_FEED = 10
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The positions of a part's names, postings and places. */
interface TermPositions {
  readonly entries: Uint32Array
  /** The positions at which postings begin, and one more: the end of the last. */
  readonly postingsAt: Uint32Array
  readonly placesAt: Uint32Array
  /** The positions at which names begin, and one more: after the end of the last. */
  readonly starts: Uint32Array
}

/**
 * The names of a part's terms, and the positions of their bytes. Most parts of a new segment do not have the term that a
 * search looks for. So the names are one text, which is searched, and positions are computed only for a term that is
 * there.
 */
export class PartTerms {
  readonly count: number
  readonly #bytes: Uint8Array
  readonly #namesFrom: number
  readonly #namesEnd: number
  /** The names with a line feed before and after each. */
  #text: string | undefined
  #positions: TermPositions | undefined

  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes)
    const [count, length] = [reader.varint(), reader.varint()]
    this.count = count
    this.#bytes = bytes
    this.#namesFrom = reader.at
    this.#namesEnd = reader.at + length
  }

  get entries(): Uint32Array {
    return this.#located().entries
  }

  get postingsAt(): Uint32Array {
    return this.#located().postingsAt
  }

  get placesAt(): Uint32Array {
    return this.#located().placesAt
  }

  name(at: number): string {
    const { starts } = this.#located()
    return this.#names().toString('utf8', starts[at]!, starts[at + 1]! - 1)
  }

  names(): string[] {
    return decodeTerms(this.#names())
  }

  /** The position of a term, or -1. */
  find(term: string): number {
    if (this.count === 0 || !this.#allNames().includes(`\n${term}\n`)) return -1
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.name(middle) < term) low = middle + 1
      else high = middle
    }
    return low
  }

  /** All terms with this beginning, in order. They are next to each other. */
  startingWith(prefix: string): string[] {
    const text = this.#allNames()
    const found: string[] = []
    for (let at = text.indexOf(`\n${prefix}`); at >= 0 && text.startsWith(prefix, at + 1); ) {
      const end = text.indexOf('\n', at + 1)
      if (end < 0) break
      found.push(copyOf(text.slice(at + 1, end)))
      at = end
    }
    return found
  }

  #names(): Buffer {
    const { buffer, byteOffset } = this.#bytes
    return Buffer.from(buffer, byteOffset + this.#namesFrom, this.#namesEnd - this.#namesFrom)
  }

  #allNames(): string {
    this.#text ??= `\n${this.#names().toString('utf8')}\n`
    return this.#text
  }

  #located(): TermPositions {
    this.#positions ??= locate(this.#bytes, this.count, this.#namesFrom, this.#namesEnd)
    return this.#positions
  }
}

/** V8 stores a slice of at least this many characters as a reference, which keeps the whole text in memory. */
const MIN_REFERENCE = 13

const copyOf = (slice: string): string => (slice.length < MIN_REFERENCE ? slice : Buffer.from(slice).toString())

function locate(bytes: Uint8Array, count: number, namesFrom: number, namesEnd: number): TermPositions {
  const starts = new Uint32Array(count + 1)
  let next = 1
  for (let byte = namesFrom; byte < namesEnd; byte++)
    if (bytes[byte] === LINE_FEED) starts[next++] = byte + 1 - namesFrom
  starts[count] = namesEnd - namesFrom + 1
  const entries = new Uint32Array(count)
  const [postingsAt, placesAt] = [new Uint32Array(count + 1), new Uint32Array(count + 1)]
  const reader = new ByteReader(bytes, namesEnd)
  for (let at = 0; at < count; at++) {
    entries[at] = reader.varint()
    postingsAt[at + 1] = postingsAt[at]! + reader.varint()
    placesAt[at + 1] = placesAt[at]! + reader.varint()
  }
  return { entries, postingsAt, placesAt, starts }
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
