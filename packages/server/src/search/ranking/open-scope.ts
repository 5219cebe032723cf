import type { IndexSnapshot, ListedSegment } from '../segments/index-snapshot.ts'
import { LENGTH_CODES, LENGTH_OF } from '../segments/length-code.ts'
import type { IndexScope } from './index-scope.ts'
import { type VisiblePart, visiblePart } from './visible-part.ts'

/** Sums of occurrences are whole numbers of this fraction, so that they are the same in any order of addition. */
export const UNIT = 4096
const LENGTH_SHARE = 0.5
const TITLE_ROLES: ReadonlySet<string> = new Set(['primary-title', 'title', 'subject', 'name'])
const TITLE_WEIGHT = 2
/** A field of so few words on average says more about a record than its body. */
const SHORT_WORDS = 12
const SHORT_WEIGHT = 1.5

interface KnownPart {
  readonly part: VisiblePart
  readonly dead: ReadonlySet<number>
}

/** A scope over an index that changes. Its part of a segment stays valid until a document of the segment dies. */
export class OpenScope {
  readonly scope: IndexScope
  #known = new Map<number, KnownPart>()
  #segments: readonly ListedSegment[] | undefined
  /** By position in the snapshot's segments. */
  parts: readonly VisiblePart[] = []
  /** How many documents are visible. */
  documents = 0
  /** The value of one occurrence, by class and code of the field's length: `counted[class * 256 + code]`. */
  counted = new Int32Array(0)

  constructor(scope: IndexScope) {
    this.scope = scope
  }

  /** Bytes that the known parts take. */
  get bytes(): number {
    return this.parts.reduce((sum, { visible }) => sum + visible.length + 2048, 0)
  }

  /** Does nothing if the segments are still the same list. */
  update({ segments }: IndexSnapshot): this {
    if (segments === this.#segments) return this
    this.#segments = segments
    const known = new Map<number, KnownPart>()
    this.parts = segments.map((segment) => {
      const entry = this.#part(segment)
      known.set(segment.segment, entry)
      return entry.part
    })
    this.#known = known
    this.documents = this.parts.reduce((sum, { documents }) => sum + documents, 0)
    this.counted = this.#countedBy(this.#averages())
    return this
  }

  #part(segment: ListedSegment): KnownPart {
    const known = this.#known.get(segment.segment)
    if (known && known.dead === segment.dead) return known
    return { part: visiblePart(segment, this.scope), dead: segment.dead }
  }

  #averages(): number[] {
    return this.scope.classes.map((_, at) => {
      let [words, fields] = [0, 0]
      for (const part of this.parts) {
        words += part.words[at]!
        fields += part.fields[at]!
      }
      return fields === 0 ? 1 : words / fields
    })
  }

  #countedBy(averages: readonly number[]): Int32Array<ArrayBuffer> {
    const counted = new Int32Array(averages.length * LENGTH_CODES)
    for (const [at, average] of averages.entries()) {
      const weight = fieldWeight(this.scope.classes[at]!.role, average)
      for (let code = 0; code < LENGTH_CODES; code++)
        counted[at * LENGTH_CODES + code] = occurrence(weight, LENGTH_OF[code]!, average)
    }
    return counted
  }
}

/** The value of one occurrence in a field of this length. */
export function occurrence(weight: number, length: number, average: number): number {
  return Math.round((UNIT * weight) / (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / Math.max(1, average)))
}

/** A word in a title, a name or another short field says more about a record than one in its body. */
export function fieldWeight(role: string | undefined, averageLength: number): number {
  if (role !== undefined && TITLE_ROLES.has(role)) return TITLE_WEIGHT
  return averageLength <= SHORT_WORDS ? SHORT_WEIGHT : 1
}
