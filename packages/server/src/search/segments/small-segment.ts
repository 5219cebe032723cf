import { ByteReader, ByteWriter } from './bytes.ts'
import type { Segment, TermBytes } from './segment.ts'

/** The words of a small segment as one value: all terms, then sizes, then postings, then places. */
export function encodeWords({ terms, termBytes }: Pick<Segment, 'terms' | 'termBytes'>): Uint8Array {
  const writer = new ByteWriter(4096)
  const names = encodeTerms(terms)
  writer.varint(terms.length)
  writer.varint(names.length)
  writer.append(names)
  const all = terms.map((_, at) => termBytes(at))
  for (const { entries, documents, postings, places } of all) {
    writer.varint(entries)
    writer.varint(entries - documents)
    writer.varint(postings.length)
    writer.varint(places.length)
  }
  for (const { postings } of all) writer.append(postings)
  for (const { places } of all) writer.append(places)
  return writer.finish()
}

/** Terms have no line breaks: these are no letters. */
export const encodeTerms = (terms: readonly string[]): Uint8Array => new TextEncoder().encode(terms.join('\n'))

export const decodeTerms = (bytes: Uint8Array): string[] =>
  bytes.length === 0 ? [] : new TextDecoder().decode(bytes).split('\n')

/** The words of a small segment, read from its one value. */
export class SmallWords {
  readonly terms: readonly string[]
  readonly #bytes: Uint8Array
  readonly #entries: Uint32Array
  readonly #documents: Uint32Array
  readonly #postingsAt: Uint32Array
  readonly #placesAt: Uint32Array

  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes)
    const [count, length] = [reader.varint(), reader.varint()]
    this.terms = decodeTerms(reader.take(length))
    this.#entries = new Uint32Array(count)
    this.#documents = new Uint32Array(count)
    this.#postingsAt = new Uint32Array(count + 1)
    this.#placesAt = new Uint32Array(count + 1)
    for (let at = 0; at < count; at++) {
      this.#entries[at] = reader.varint()
      this.#documents[at] = this.#entries[at]! - reader.varint()
      this.#postingsAt[at + 1] = this.#postingsAt[at]! + reader.varint()
      this.#placesAt[at + 1] = this.#placesAt[at]! + reader.varint()
    }
    this.#bytes = bytes.subarray(reader.at)
  }

  /** The position of the first term that is not before this one. */
  seek(term: string): number {
    let [low, high] = [0, this.terms.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.terms[middle]! < term) low = middle + 1
      else high = middle
    }
    return low
  }

  find(term: string): TermBytes | undefined {
    const at = this.seek(term)
    return this.terms[at] === term ? this.termBytes(at) : undefined
  }

  termBytes = (at: number): TermBytes => {
    const places = this.#postingsAt[this.terms.length]!
    return {
      entries: this.#entries[at]!,
      documents: this.#documents[at]!,
      postings: this.#bytes.subarray(this.#postingsAt[at]!, this.#postingsAt[at + 1]!),
      places: this.#bytes.subarray(places + this.#placesAt[at]!, places + this.#placesAt[at + 1]!),
    }
  }
}
