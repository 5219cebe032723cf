import { type EvidenceExcerpt, evidenceOf } from '../../search/evidence/evidence.ts'
import { labelOf } from '../../search/evidence/label.ts'
import { MatchFinder } from '../../search/evidence/match-finder.ts'
import { EXCERPT_SIZES } from '../../search/hits/hit-size.ts'
import type { RankedPage } from '../../search/ranking/rank-matches.ts'
import { tierOf } from '../../search/ranking/tier.ts'
import type { WeighedWord } from '../../search/ranking/weighed-words.ts'
import type { FoundRecord, SearchedStream } from '../../search/search-store.ts'

export type RankedHit = RankedPage['found'][number]

interface HitFeed {
  readonly target: number
  readonly stream: SearchedStream
  /** What the owner calls the connection. */
  readonly name: string | undefined
}

interface HitRecord extends Pick<FoundRecord, 'connectionId' | 'key' | 'emittedAt'> {
  readonly data: Readonly<Record<string, unknown>>
  /** The members that the scope shows. */
  readonly members: Readonly<Record<string, unknown>>
}

/** Turns hits and their records into what a search shows of them. */
export class ShownHits {
  readonly #words: readonly WeighedWord[]
  readonly #finder: MatchFinder
  readonly #highlight: boolean

  constructor(words: readonly WeighedWord[], highlight: boolean) {
    this.#words = words
    this.#finder = new MatchFinder(words)
    this.#highlight = highlight
  }

  found(hit: RankedHit, { target, stream, name }: HitFeed, record: HitRecord, isFirst: boolean): FoundRecord {
    const { data, members, connectionId, key, emittedAt } = record
    const { scope, fields } = stream
    const scanned = fields.map((path) => {
      const text = typeof data[path] === 'string' ? data[path] : ''
      return { path, text, scan: this.#finder.scan(text) }
    })
    const excerpts = (size: keyof typeof EXCERPT_SIZES): readonly EvidenceExcerpt[] => {
      const { chars, maxExcerpts } = EXCERPT_SIZES[size]
      return evidenceOf(scanned, this.#words, chars, this.#highlight).slice(0, maxExcerpts)
    }
    const { grains, time, feed, number, isHead, rank } = hit
    return {
      ...{ target, number, connectionId, key, emittedAt },
      tier: tierOf(
        this.#words,
        scanned.flatMap(({ scan }) => scan.hits),
      ),
      label: labelOf(scope, members, name ?? scope.connectorKey),
      excerpts: excerpts('full'),
      shortExcerpts: isFirst ? excerpts('small') : [],
      position: { grains, time, feed, number, isHead, rank },
    }
  }
}
