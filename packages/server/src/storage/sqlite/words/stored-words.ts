import { PartTerms, seekTerm } from '../../../search/segments/word-part.ts'
import { BYTES_PER_ARRAY, CACHE_BYTES } from '../../cache-limits.ts'
import type { ExampleWords } from '../../contract.ts'
import type { Handle } from '../engine/database.ts'
import { partBytes, partTerms } from './segment-rows.ts'

export interface EncodedPostings {
  readonly bytes: Uint8Array
  readonly entries: number
}

const WORD = /^\p{L}{4,12}$/u
const EXAMPLES = 6
/** Shares of a segment's documents. Words in more than the first say too little, and words in less than the second are rare. */
const [TOO_COMMON, RARE] = [0.35, 0.001]

/** Bytes of the positions of a term's name, postings and places, and of the number of its entries. */
const POSITION_BYTES = 16

/** Caches the names in recently used parts of segments. Segments never change, so cached names stay valid. */
export class PartCache {
  readonly #handle: Handle
  readonly #known = new Map<string, { readonly terms: PartTerms; readonly bytes: number }>()
  #bytes = 0

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
    const bytes = partBytes(this.#handle, 'postings', this.#segment, part, from, to)
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

  /**
   * Some words to try searches with: the most frequent ones, because reading them takes longest, and a few rare ones.
   * `documents` is the size of the segment.
   */
  examples(documents: number): ExampleWords {
    const common: { readonly name: string; readonly entries: number }[] = []
    const rare: string[] = []
    for (let part = 0; part < this.#firsts.length; part++) {
      const terms = this.#cache.terms(this.#segment, part)
      for (let at = 0; at < terms.count; at++) {
        const entries = terms.entries[at]!
        const isCommon =
          entries < documents * TOO_COMMON && entries > (common[EXAMPLES - 1]?.entries ?? documents * RARE)
        const isRare = rare.length < EXAMPLES && entries > 1 && entries < documents * RARE
        if ((!isCommon && !isRare) || !WORD.test(terms.name(at))) continue
        if (isRare) rare.push(terms.name(at))
        else common.push({ name: terms.name(at), entries })
        if (isCommon) common.sort((a, b) => b.entries - a.entries).splice(EXAMPLES)
      }
    }
    return { common: common.map(({ name }) => name), rare }
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
