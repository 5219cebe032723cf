import type { IndexSnapshot, ListedSegment } from '../segments/index-snapshot.ts'
import { LENGTH_CODES, LENGTH_OF } from '../segments/length-code.ts'
import type { Postings } from '../segments/postings-codec.ts'
import type { IndexScope } from './index-scope.ts'
import { LEVERS, type Levers } from './levers.ts'
import { boundList, type OnceValues, onceValues } from './scoring/bound-list.ts'
import type { FormPostings } from './scoring/form-postings.ts'
import type { ListBounds } from './scoring/list-bounds.ts'
import { type KnownPart, type VisiblePart, visiblePart } from './visible-part.ts'

/**
 * Values of occurrences are stored as whole multiples of 1/UNIT, so that a sum is the same in any order of addition.
 */
export const UNIT = 4096
const TITLE_ROLES: ReadonlySet<string> = new Set(['primary-title', 'title', 'subject', 'name'])
const ACTOR_ROLE = 'actor'
const TITLE_WEIGHT = 2
/** A field with at most this many words on average is short. It says more about a record than a long field. */
const SHORT_WORDS = 12
const SHORT_WEIGHT = 1.5
/** Average lengths are rounded to steps of four per cent, one byte each, so that a cursor can store them. */
const STEPS = 16

/** The bounds of lists with one closeness, and the values of single occurrences in them. */
interface ClosenessBounds {
  readonly lists: WeakMap<Postings, ListBounds>
  readonly once: OnceValues
}

/**
 * A scope together with the index, which changes. The visible part of a segment stays valid until a document of the
 * segment dies.
 */
export class OpenScope {
  readonly scope: IndexScope
  readonly levers: Levers
  #known = new Map<number, KnownPart>()
  #segments: readonly ListedSegment[] | undefined
  #codes = ''
  /** The visible part of each segment, in the order of the snapshot's segments. */
  parts: readonly VisiblePart[] = []
  /** Number of visible documents. */
  documents = 0
  /** One more than the last position of a feed in the order of names. */
  readonly orders: number = 0
  /**
   * The value of one occurrence in units of 1/UNIT, by class and length code of the field: `counted[class * 256 +
   * code]`.
   */
  counted = new Int32Array(0)
  /** The same for a guessed form, which gains nothing in a short field. */
  #guessed = new Int32Array(0)
  /** 1 for each class in which words count for neighbours. */
  spreading = new Uint8Array(0)

  /** Cached bounds of lists, by closeness. Valid while fields are weighed in the same way. */
  #bounds = new Map<number, ClosenessBounds>()

  constructor(scope: IndexScope, levers: Levers = LEVERS) {
    this.scope = scope
    for (const { order } of scope.editions.values()) this.orders = Math.max(this.orders, order + 1)
    this.levers = levers
  }

  /** Bytes of the cached parts. */
  get bytes(): number {
    return this.parts.reduce((sum, { visible }) => sum + visible.length + 2048, 0)
  }

  update({ segments }: IndexSnapshot): this {
    if (segments === this.#segments) return this
    const known = new Map<number, KnownPart>()
    this.parts = segments.map((segment) => {
      const entry = this.#part(segment)
      known.set(segment.segment, entry)
      return entry.part
    })
    this.#known = known
    this.#segments = segments
    this.documents = this.parts.reduce((sum, { documents }) => sum + documents, 0)
    return this
  }

  /** The average length of each class, as codes. */
  averages(): Uint8Array {
    return Uint8Array.from(this.scope.classes, (_, at) => {
      let [words, fields] = [0, 0]
      for (const part of this.parts) {
        words += part.words[at]!
        fields += part.fields[at]!
      }
      return fields === 0 ? 0 : Math.min(255, Math.max(0, Math.round(STEPS * Math.log2(words / fields))))
    })
  }

  /** Computes the values of occurrences from these average lengths: the current ones, or those of the first page. */
  weighFields(codes: Uint8Array): void {
    const name = codes.join()
    if (name === this.#codes && this.counted.length > 0) return
    this.#codes = name
    this.#bounds = new Map()
    this.counted = new Int32Array(codes.length * LENGTH_CODES)
    this.#guessed = new Int32Array(codes.length * LENGTH_CODES)
    this.spreading = new Uint8Array(codes.length)
    for (const [at, code] of codes.entries()) {
      const average = 2 ** (code / STEPS)
      const { role } = this.scope.classes[at]!
      const weight = fieldWeight(role, average, this.levers)
      const isBody = !isTitle(role) && role !== ACTOR_ROLE
      this.spreading[at] = isBody && average <= this.levers.windowWords ? 1 : 0
      for (let length = 0; length < LENGTH_CODES; length++) {
        const value = this.#occurrence(weight, LENGTH_OF[length]!, average)
        this.counted[at * LENGTH_CODES + length] = value
        this.#guessed[at * LENGTH_CODES + length] = Math.round(Math.min(value, weight * UNIT) * this.levers.guessed)
      }
    }
  }

  countedFor(closeness: number): Int32Array {
    return closeness === 1 ? this.counted : this.#guessed
  }

  /** Returns a function that tells whether a slot of a document names an author or a participant. */
  actorSlots(at: number, doc: number): (slot: number) => boolean {
    const { runOf, classAt, classes } = this.parts[at]!.layout
    const first = classAt[runOf[doc]!]!
    return (slot) => this.scope.classes[classes[first + slot]!]?.role === ACTOR_ROLE
  }

  /** The bounds of a list. They are computed once, and again after one of the segment's documents died. */
  boundsOf(form: FormPostings, part: VisiblePart): ListBounds {
    const { postings, closeness } = form
    const { lists, once } = this.#bounds.get(closeness) ?? this.#addCloseness(closeness)
    const known = lists.get(postings)
    if (known?.part === part) return known
    const found = boundList(form, part, this.countedFor(closeness), once, this.levers.saturation)
    lists.set(postings, found)
    return found
  }

  #addCloseness(closeness: number): ClosenessBounds {
    const once = onceValues(this.countedFor(closeness), closeness, this.levers.saturation)
    const added = { lists: new WeakMap<Postings, ListBounds>(), once }
    this.#bounds.set(closeness, added)
    return added
  }

  /** The value of one occurrence in a field of this length. */
  #occurrence(weight: number, length: number, average: number): number {
    const { lengthShare, minValue } = this.levers
    const value = (UNIT * weight) / (1 - lengthShare + (lengthShare * length) / average)
    return Math.round(Math.max(UNIT * minValue, value))
  }

  #part(segment: ListedSegment): KnownPart {
    const known = this.#known.get(segment.segment)
    if (known && known.dead === segment.dead) return known
    return { part: visiblePart(segment, this.scope, known), dead: segment.dead }
  }
}

const isTitle = (role: string | undefined): boolean => role !== undefined && TITLE_ROLES.has(role)

/** A word in a title, a name or another short field says more about a record than one in its body. */
function fieldWeight(role: string | undefined, averageLength: number, { actor }: Levers): number {
  if (role === ACTOR_ROLE) return actor
  if (isTitle(role)) return TITLE_WEIGHT
  return averageLength <= SHORT_WORDS ? SHORT_WEIGHT : 1
}
