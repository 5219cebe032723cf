import type { QueryPhrase } from '../query/query.ts'
import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import { PlacesReader } from '../segments/places-codec.ts'
import type { Postings } from '../segments/postings-codec.ts'
import type { FieldClass } from './index-scope.ts'
import type { VisiblePart } from './visible-part.ts'

/**
 * Marks with 1 the documents of a segment that have the terms next to each other in one visible field. Undefined if a
 * term is missing.
 */
export function phraseDocuments(
  { terms, isPrefix, field }: QueryPhrase,
  snapshot: IndexSnapshot,
  at: number,
  part: VisiblePart,
  classes: readonly FieldClass[],
): Uint8Array | undefined {
  const steps: Occurring[] = []
  for (const [position, term] of terms.entries()) {
    const step =
      isPrefix && position === terms.length - 1
        ? prefixOccurring(term, snapshot, at)
        : termOccurring(term, snapshot, at)
    if (!step) return
    steps.push(step)
  }
  const marks = new Uint8Array(part.visible.length)
  const { visible, layout } = part
  const isSearched = (doc: number, slot: number) => {
    const of = layout.classes[layout.classAt[layout.runOf[doc]!]! + slot]!
    return of >= 0 && (field === null || classes[of]!.field === field)
  }
  // Only documents in the shortest list are checked.
  const { from, to, docs, slots } = steps.reduce((best, step) => (entriesIn(step) < entriesIn(best) ? step : best))
  for (let entry = from; entry < to; entry++) {
    const [doc, slot] = [docs[entry]!, slots[entry]!]
    if (visible[doc] === 0 || marks[doc] === 1 || !isSearched(doc, slot)) continue
    if (isSideBySide(steps, doc, slot)) marks[doc] = 1
  }
  return marks
}

/** The occurrences of one term of a phrase in a segment. Must be asked in ascending order of documents. */
interface Occurring {
  /** The entries of the arrays from `from` to before `to`. */
  readonly from: number
  readonly to: number
  readonly docs: ArrayLike<number>
  readonly slots: ArrayLike<number>
  /** The places of the entry that was last read. */
  readonly places: ArrayLike<number>
  /** The entry of a field of a document, or -1. */
  seek(doc: number, slot: number): number
  /** Reads the places of an entry in ascending order. Returns their number. */
  read(entry: number): number
}

const entriesIn = ({ from, to }: Occurring): number => to - from

const entries: number[] = []
const ends: number[] = []

function isSideBySide(steps: readonly Occurring[], doc: number, slot: number): boolean {
  for (let at = 0; at < steps.length; at++) {
    const entry = steps[at]!.seek(doc, slot)
    if (entry < 0) return false
    entries[at] = entry
  }
  if (steps.length === 1) return true
  const first = steps[0]!
  let count = first.read(entries[0]!)
  for (let index = 0; index < count; index++) ends[index] = first.places[index]!
  for (let at = 1; at < steps.length && count > 0; at++) {
    const step = steps[at]!
    const places = step.read(entries[at]!)
    // Both lists are in ascending order, so one pass over them is enough.
    let [kept, end] = [0, 0]
    for (let index = 0; index < places; index++) {
      const place = step.places[index]!
      while (end < count && ends[end]! < place - 1) end++
      if (end < count && ends[end] === place - 1) ends[kept++] = place
    }
    count = kept
  }
  return count > 0
}

function termOccurring(term: string, snapshot: IndexSnapshot, at: number): TermOccurring | undefined {
  const postings = snapshot.postings(term, at)
  return postings && new TermOccurring(postings, () => snapshot.places(term, at))
}

/** Most lists of a segment are about equally long, so the wanted entry is often among the next few. */
const NEAR = 8

class TermOccurring implements Occurring {
  readonly #postings: Postings
  readonly #bytes: () => Uint8Array
  #reader: PlacesReader | undefined
  #entry: number

  constructor(postings: Postings, bytes: () => Uint8Array) {
    this.#postings = postings
    this.#entry = postings.from
    this.#bytes = bytes
  }

  get from(): number {
    return this.#postings.from
  }

  get to(): number {
    return this.#postings.to
  }

  get docs(): Uint16Array {
    return this.#postings.docs
  }

  get slots(): Uint8Array {
    return this.#postings.slots
  }

  get places(): Uint32Array {
    return this.#reader!.places
  }

  seek(doc: number, slot: number): number {
    const { docs, slots, to } = this.#postings
    let entry = this.#entry
    const far = Math.min(to, entry + NEAR)
    while (entry < far && (docs[entry]! < doc || (docs[entry] === doc && slots[entry]! < slot))) entry++
    if (entry === far) entry = seekEntry(this.#postings, entry, doc, slot)
    this.#entry = entry
    return entry < to && docs[entry] === doc && slots[entry] === slot ? entry : -1
  }

  read(entry: number): number {
    this.#reader ??= new PlacesReader(this.#bytes(), this.#postings)
    return this.#reader.read(entry)
  }
}

/**
 * The first entry from `from` on that is not before this field of the document. Its steps double, because most lists
 * are long.
 */
function seekEntry({ docs, slots, to }: Postings, from: number, doc: number, slot: number): number {
  const isBefore = (entry: number) => docs[entry]! < doc || (docs[entry] === doc && slots[entry]! < slot)
  let [low, step] = [from, 1]
  while (low + step < to && isBefore(low + step)) {
    low += step
    step *= 2
  }
  let high = Math.min(to, low + step)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The occurrences of all terms with a certain beginning, as if they were one term. A single Han character matches every
 * pair that begins with it.
 */
function prefixOccurring(prefix: string, snapshot: IndexSnapshot, at: number): Occurring | undefined {
  const fields = new Map<number, number[]>()
  for (const term of snapshot.termsFrom(prefix)) {
    const one = termOccurring(term, snapshot, at)
    for (let entry = one?.from ?? 0; one && entry < one.to; entry++) {
      const name = one.docs[entry]! * 256 + one.slots[entry]!
      const places = fields.get(name) ?? []
      const count = one.read(entry)
      for (let index = 0; index < count; index++) places.push(one.places[index]!)
      fields.set(name, places)
    }
  }
  if (fields.size === 0) return
  for (const places of fields.values()) places.sort((a, b) => a - b)
  const names = [...fields.keys()].sort((a, b) => a - b)
  const positions = new Map(names.map((name, entry) => [name, entry]))
  const occurring = {
    from: 0,
    to: names.length,
    docs: names.map((name) => Math.floor(name / 256)),
    slots: names.map((name) => name % 256),
    places: [] as readonly number[],
    seek: (doc: number, slot: number) => positions.get(doc * 256 + slot) ?? -1,
    read: (entry: number) => {
      occurring.places = fields.get(names[entry]!)!
      return occurring.places.length
    },
  }
  return occurring
}
