import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import { PlacesReader } from '../segments/places-codec.ts'
import { entryOf } from '../segments/postings-codec.ts'
import type { Levers } from './levers.ts'
import type { VisiblePart } from './visible-part.ts'
import type { WeighedWord } from './weighed-words.ts'

const SATURATION = 1.2

/** A place where a word of the query stands. */
export interface Occurrence {
  readonly slot: number
  readonly place: number
  readonly word: number
  readonly closeness: number
}

/**
 * The bonus of a document with words of the query close together in a visible field. Each word gains its neighbour's
 * weight, divided by the square of their distance.
 */
export function proximityOf(words: readonly WeighedWord[], found: readonly Occurrence[], levers: Levers): number {
  if (levers.proximity === 0) return 0
  const near = new Float64Array(words.length)
  let before: Occurrence | undefined
  for (const next of found) {
    const distance = before?.slot === next.slot ? next.place - before.place : Number.POSITIVE_INFINITY
    if (before && before.word !== next.word && distance <= levers.near) {
      const share = (next.closeness * before.closeness) / Math.max(1, distance) ** 2
      near[next.word]! += words[before.word]!.weight * share
      near[before.word]! += words[next.word]!.weight * share
    }
    before = next
  }
  return words.reduce(
    (sum, { weight }, word) => sum + (levers.proximity * weight * near[word]!) / (SATURATION + near[word]!),
    0,
  )
}

/** The places of all words in the visible fields of a document, in the order of the text. */
export function occurrencesIn(
  words: readonly WeighedWord[],
  snapshot: IndexSnapshot,
  at: number,
  { layout }: VisiblePart,
  doc: number,
): Occurrence[] {
  const first = layout.classAt[layout.runOf[doc]!]!
  const found: Occurrence[] = []
  for (const [word, { forms }] of words.entries()) {
    for (const { term, closeness } of forms) {
      const postings = snapshot.postings(term, at)
      const start = postings ? entryOf(postings, doc) : -1
      if (!postings || start < 0) continue
      let reader: PlacesReader | undefined
      for (let entry = start; postings.docs[entry] === doc; entry++) {
        const slot = postings.slots[entry]!
        if (layout.classes[first + slot]! < 0) continue
        reader ??= new PlacesReader(snapshot.places(term, at), postings)
        for (const place of reader.read(entry)) found.push({ slot, place, word, closeness })
      }
    }
  }
  return found.sort((a, b) => a.slot - b.slot || a.place - b.place || a.word - b.word)
}
