import { PartTerms, seekTerm } from '../../../search/segments/word-part.ts'
import { BYTES_PER_ARRAY, CACHE_BYTES } from '../../cache-limits.ts'
import type { ExampleWords } from '../../contract.ts'
import { exampleWords } from '../../words/example-words.ts'
import type { Handle } from '../engine/database.ts'
import { partBytes, partTerms } from './segment-rows.ts'

export interface EncodedPostings {
  readonly bytes: Uint8Array
  readonly entries: number
}

/** Bytes of the positions of a term's name, postings and places, and of the number of its entries. */
const POSITION_BYTES = 16

/**
 * The forms of a word are mostly in one part, and SQLite reads the whole part for each of them. So if a second term of a
 * part is read, and its postings have at most this many bytes, all of them are read.
 */
const MAX_READ_AT_ONCE = 32_768

/**
 * Caches the names in recently used parts of segments, and the postings of the last used ones. Segments never change, so
 * they stay valid.
 */
export class PartCache {
  readonly #handle: Handle
  readonly #known = new Map<string, { readonly terms: PartTerms; readonly bytes: number }>()
  readonly #postings = new Map<string, Uint8Array>()
  /** For each segment the part of which one term was read last. */
  readonly #lastPart = new Map<number, number>()
  #bytes = 0
  #postingBytes = 0

  constructor(handle: Handle) {
    this.#handle = handle
  }

  terms(segment: number, part: number): PartTerms {
    const name = `${segment} ${part}`
    const known = this.#known.get(name)
    if (known) return known.terms
    const bytes = partTerms(this.#handle, segment, part)
    const terms = new PartTerms(bytes)
    const size = bytes.length + terms.count * POSITION_BYTES + BYTES_PER_ARRAY * 5
    this.#known.set(name, { terms, bytes: size })
    this.#bytes += size
    for (const [oldest, entry] of this.#known) {
      if (this.#bytes <= CACHE_BYTES.terms || oldest === name) break
      this.#known.delete(oldest)
      this.#bytes -= entry.bytes
    }
    return terms
  }

  /** Some bytes of a part's postings. `size` is the number of all its bytes. */
  postings(segment: number, part: number, from: number, to: number, size: number): Uint8Array {
    const name = `${segment} ${part}`
    const known = this.#postings.get(name)
    if (known) return known.subarray(from, to)
    const isAgain = this.#lastPart.get(segment) === part
    this.#lastPart.set(segment, part)
    if (!isAgain || size > MAX_READ_AT_ONCE) return partBytes(this.#handle, 'postings', segment, part, from, to)
    const all = partBytes(this.#handle, 'postings', segment, part, 0, size)
    this.#keepPostings(name, all)
    return all.subarray(from, to)
  }

  #keepPostings(name: string, bytes: Uint8Array): void {
    this.#postings.set(name, bytes)
    this.#postingBytes += bytes.length + BYTES_PER_ARRAY
    for (const [oldest, other] of this.#postings) {
      if (this.#postingBytes <= CACHE_BYTES.partPostings || oldest === name) break
      this.#postings.delete(oldest)
      this.#postingBytes -= other.length + BYTES_PER_ARRAY
    }
  }
}

/** The words of one segment. Reads only the parts that a search needs. */
export class StoredWords {
  readonly #handle: Handle
  readonly #cache: PartCache
  readonly #segment: number
  /** The first term of each part. */
  readonly #firsts: readonly string[]

  constructor(handle: Handle, cache: PartCache, segment: number, firsts: readonly string[]) {
    this.#handle = handle
    this.#cache = cache
    this.#segment = segment
    this.#firsts = firsts
  }

  /** The encoded postings of a term, if the segment has it. */
  postings(term: string): EncodedPostings | undefined {
    const found = this.#find(term)
    if (!found) return
    const { part, at, terms } = found
    const [from, to] = [terms.postingsAt[at]!, terms.postingsAt[at + 1]!]
    const bytes = this.#cache.postings(this.#segment, part, from, to, terms.postingsAt[terms.count]!)
    return { bytes, entries: terms.entries[at]! }
  }

  /** The encoded places of a term. The segment must have the term. */
  places(term: string): Uint8Array {
    const { part, at, terms } = this.#find(term)!
    return partBytes(this.#handle, 'places', this.#segment, part, terms.placesAt[at]!, terms.placesAt[at + 1]!)
  }

  /** All terms with this beginning, in order. */
  termsFrom(prefix: string): string[] {
    const found: string[] = []
    for (let part = Math.max(0, this.#partOf(prefix)); part < this.#firsts.length; part++) {
      const terms = this.#cache.terms(this.#segment, part)
      let at = terms.seek(prefix)
      for (; at < terms.count; at++) {
        const name = terms.name(at)
        if (!name.startsWith(prefix)) return found
        found.push(name)
      }
    }
    return found
  }

  /** Some words to try searches with. `documents` is the size of the segment. */
  examples(documents: number): ExampleWords {
    return exampleWords(this.#allTerms(), documents)
  }

  *#allTerms(): Generator<PartTerms> {
    for (let part = 0; part < this.#firsts.length; part++) yield this.#cache.terms(this.#segment, part)
  }

  #find(term: string): { part: number; at: number; terms: PartTerms } | undefined {
    const part = this.#partOf(term)
    if (part < 0) return
    const terms = this.#cache.terms(this.#segment, part)
    const at = terms.find(term)
    return at < 0 ? undefined : { part, at, terms }
  }

  /** The only part that can contain this term. */
  #partOf(term: string): number {
    const at = seekTerm(this.#firsts, term)
    return this.#firsts[at] === term ? at : at - 1
  }
}
