import { shownText } from '../../search/analysis/searched-text.ts'
import { hitEvidence, neighbourPreview, type ScannedRecord } from '../../search/evidence/hit-evidence.ts'
import { labelOf } from '../../search/evidence/label.ts'
import { MatchFinder } from '../../search/evidence/match-finder.ts'
import type { RankedPage } from '../../search/ranking/rank-matches.ts'
import { tierOf } from '../../search/ranking/tier.ts'
import type { FoundRecord, SearchedStream, ShownNeighbour } from '../../search/search-store.ts'

export type RankedHit = RankedPage['found'][number]

interface HitRecord {
  readonly data: Readonly<Record<string, unknown>>
  /** The members that the scope shows. */
  readonly members: Readonly<Record<string, unknown>>
  /** The owner's name of the connection. */
  readonly connectionName: string | undefined
}

type HitPlace = Pick<FoundRecord, 'target' | 'connectionId' | 'key' | 'emittedAt'>

/** Builds the shown form of hits from their records. */
export class ShownHits {
  readonly #ranked: RankedPage
  readonly #finder: MatchFinder
  readonly #highlight: boolean

  constructor(ranked: RankedPage, highlight: boolean) {
    this.#ranked = ranked
    this.#finder = new MatchFinder(ranked.words)
    this.#highlight = highlight
  }

  scan({ scope, fields }: SearchedStream, { data, members, connectionName }: HitRecord): ScannedRecord {
    return {
      ...{ scope, members, label: labelOf(scope, members, connectionName ?? scope.connectorKey) },
      fields: fields.map((path) => {
        const text = shownText(data[path])
        return { path, text, hits: this.#finder.scan(text) }
      }),
    }
  }

  found(
    hit: RankedHit,
    place: HitPlace,
    scanned: ScannedRecord,
    isFirst: boolean,
    context: ShownNeighbour | undefined,
  ): FoundRecord {
    const { words, statistics } = this.#ranked
    const { grains, time, feed, number, isHead, match } = hit
    return {
      ...{ ...place, number },
      tier: tierOf(
        words,
        scanned.fields.flatMap(({ hits }) => hits),
      ),
      ...{ match, label: scanned.label, context },
      ...hitEvidence(scanned, { words, highlight: this.#highlight, isFirst, isContext: match === 'context' }),
      position: { grains, time, feed, number, isHead, statistics },
    }
  }

  neighbour({ id, key }: { readonly id: number; readonly key: string }, scanned: ScannedRecord): ShownNeighbour {
    const { actor, authoredAt } = scanned.label
    return { number: id, key, actor, authoredAt, preview: neighbourPreview(scanned, this.#ranked.words) }
  }
}
