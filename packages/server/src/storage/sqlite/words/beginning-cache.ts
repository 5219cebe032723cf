import { BYTES_PER_TEXT, CACHE_BYTES } from '../../cache-limits.ts'
import type { LoadedSegment } from './loaded-segment.ts'

interface KnownTerms {
  /** The terms of all these segments, each once. Some may be only in segments that are gone since. */
  readonly terms: readonly string[]
  readonly segments: readonly number[]
  readonly bytes: number
}

/**
 * Caches terms by their beginning. Every search looks for the forms of its words, and segments never change. The oldest
 * are dropped first.
 */
export class BeginningCache {
  readonly #maxBytes: number
  readonly #known = new Map<string, KnownTerms>()
  #bytes = 0

  constructor(maxBytes: number = CACHE_BYTES.beginnings) {
    this.#maxBytes = maxBytes
  }

  /** `numbers` lists the segments. */
  get(beginning: string, segments: readonly LoadedSegment[], numbers: readonly number[]): readonly string[] {
    const known = this.#known.get(beginning)
    if (known?.segments === numbers) return known.terms
    const terms = readTerms(beginning, segments, known)
    const bytes = terms.reduce((sum, { length }) => sum + BYTES_PER_TEXT + length, BYTES_PER_TEXT)
    if (known) this.#forget(beginning, known)
    this.#known.set(beginning, { terms, segments: numbers, bytes })
    this.#bytes += bytes
    for (const [oldest, entry] of this.#known) {
      if (this.#bytes <= this.#maxBytes || oldest === beginning) break
      this.#forget(oldest, entry)
    }
    return terms
  }

  #forget(beginning: string, { bytes }: KnownTerms): void {
    this.#known.delete(beginning)
    this.#bytes -= bytes
  }
}

/** Returns the known terms themselves if the new segments have no others, which is usual after a small write. */
function readTerms(
  beginning: string,
  segments: readonly LoadedSegment[],
  known: KnownTerms | undefined,
): readonly string[] {
  const read = known?.segments ?? []
  const found = segments.flatMap(({ segment, words }) => (read.includes(segment) ? [] : words.termsFrom(beginning)))
  if (!known) return [...new Set(found)]
  return found.length === 0 ? known.terms : [...new Set([...known.terms, ...found])]
}
