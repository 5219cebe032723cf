import type { QueryPhrase } from '../query/query.ts'
import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import { PlacesReader } from '../segments/places-codec.ts'
import type { Postings } from '../segments/postings-codec.ts'
import type { FieldClass } from './index-scope.ts'
import type { VisiblePart } from './visible-part.ts'

/** The documents of one segment that have the terms side by side in one visible field. 1 for each. */
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
  // The shortest list decides which documents are looked at.
  const rarest = steps.reduce((best, step) => (step.length < best.length ? step : best))
  for (let entry = 0; entry < rarest.length; entry++) {
    const [doc, slot] = [rarest.docs[entry]!, rarest.slots[entry]!]
    if (visible[doc] === 0 || marks[doc] === 1 || !isSearched(doc, slot)) continue
    if (isSideBySide(steps, doc, slot)) marks[doc] = 1
  }
  return marks
}

/** The occurrences of one term of a phrase in a segment. Ask for documents in ascending order. */
interface Occurring {
  readonly length: number
  readonly docs: ArrayLike<number>
  readonly slots: ArrayLike<number>
  /** The entry of a document's field, or -1. */
  seek(doc: number, slot: number): number
  /** In ascending order. */
  places(entry: number): ArrayLike<number> & Iterable<number>
}

const entries: number[] = []
const ends: number[] = []

function isSideBySide(steps: readonly Occurring[], doc: number, slot: number): boolean {
  for (let at = 0; at < steps.length; at++) {
    const entry = steps[at]!.seek(doc, slot)
    if (entry < 0) return false
    entries[at] = entry
  }
  if (steps.length === 1) return true
  let count = 0
  for (const place of steps[0]!.places(entries[0]!)) ends[count++] = place
  for (let at = 1; at < steps.length && count > 0; at++) {
    const places = steps[at]!.places(entries[at]!)
    // Both are in ascending order.
    let [kept, end] = [0, 0]
    for (let index = 0; index < places.length; index++) {
      const place = places[index]!
      while (end < count && ends[end]! < place - 1) end++
      if (end < count && ends[end] === place - 1) ends[kept++] = place
    }
    count = kept
  }
  return count > 0
}

function termOccurring(term: string, snapshot: IndexSnapshot, at: number): Occurring | undefined {
  const postings = snapshot.postings(term, at)
  if (!postings) return
  const { docs, slots } = postings
  let reader: PlacesReader | undefined
  let entry = 0
  return {
    ...{ length: docs.length, docs, slots },
    seek: (doc, slot) => {
      // In one segment most lists are about as long as the others, so the next entry is often near.
      if (docs[entry]! < doc || (docs[entry] === doc && slots[entry]! < slot))
        entry = seekEntry(postings, entry, doc, slot)
      return docs[entry] === doc && slots[entry] === slot ? entry : -1
    },
    places: (of) => {
      reader ??= new PlacesReader(snapshot.places(term, at), postings)
      return reader.read(of)
    },
  }
}

/** The first entry from here on that is not before a field. Takes doubling steps, because most lists are long. */
function seekEntry({ docs, slots }: Postings, from: number, doc: number, slot: number): number {
  const isBefore = (entry: number) => docs[entry]! < doc || (docs[entry] === doc && slots[entry]! < slot)
  let [low, step] = [from, 1]
  while (low + step < docs.length && isBefore(low + step)) {
    low += step
    step *= 2
  }
  let high = Math.min(docs.length, low + step)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** All terms with a beginning, as if they were one: a single Han character stands for every pair that begins with it. */
function prefixOccurring(prefix: string, snapshot: IndexSnapshot, at: number): Occurring | undefined {
  const fields = new Map<number, number[]>()
  for (const term of snapshot.termsFrom(prefix)) {
    const one = termOccurring(term, snapshot, at)
    for (let entry = 0; one && entry < one.length; entry++) {
      const name = one.docs[entry]! * 256 + one.slots[entry]!
      const places = fields.get(name) ?? []
      for (const place of one.places(entry)) places.push(place)
      fields.set(name, places)
    }
  }
  if (fields.size === 0) return
  for (const places of fields.values()) places.sort((a, b) => a - b)
  const names = [...fields.keys()].sort((a, b) => a - b)
  const positions = new Map(names.map((name, entry) => [name, entry]))
  return {
    length: names.length,
    docs: names.map((name) => Math.floor(name / 256)),
    slots: names.map((name) => name % 256),
    seek: (doc, slot) => positions.get(doc * 256 + slot) ?? -1,
    places: (entry) => fields.get(names[entry]!)!,
  }
}
