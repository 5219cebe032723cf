import type { LoadedSegment } from './loaded-segment.ts'

/** Max. word beginnings whose terms one thread caches. */
const MAX_BEGINNINGS = 500

interface KnownTerms {
  readonly bySegment: ReadonlyMap<number, readonly string[]>
  /** The terms of all these segments, each once. */
  readonly all: ReadonlySet<string>
  readonly segments: readonly LoadedSegment[]
}

/** Caches terms by their beginning. Every search looks for the forms of its words, and segments never change. */
export class BeginningCache {
  readonly #known = new Map<string, KnownTerms>()

  get(beginning: string, segments: readonly LoadedSegment[]): ReadonlySet<string> {
    const known = this.#known.get(beginning)
    if (known?.segments === segments) return known.all
    const bySegment = new Map<number, readonly string[]>()
    const all = new Set<string>()
    for (const { segment, words } of segments) {
      const terms = known?.bySegment.get(segment) ?? words.termsFrom(beginning)
      bySegment.set(segment, terms)
      for (const term of terms) all.add(term)
    }
    if (this.#known.size >= MAX_BEGINNINGS) this.#known.clear()
    this.#known.set(beginning, { bySegment, all, segments })
    return all
  }
}
