import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import { PlacesReader } from '../segments/places-codec.ts'
import type { Postings } from '../segments/postings-codec.ts'
import { type EntryStarts, entryFrom, knownStarts } from './scoring/document-bits.ts'
import type { VisiblePart } from './visible-part.ts'
import type { WeighedWord } from './weighed-words.ts'

/** An occurrence of a query word. `place` is its position in the field, counted in words. */
export interface Occurrence {
  readonly slot: number
  readonly place: number
  readonly word: number
  readonly closeness: number
}

interface FormPlaces {
  readonly word: number
  readonly term: string
  readonly closeness: number
  readonly postings: Postings
  readonly starts: EntryStarts | undefined
  reader: PlacesReader | undefined
}

/** Finds the occurrences of a query's words in documents. Reads the places of a term in a segment only once. */
export class WordPlaces {
  readonly #words: readonly WeighedWord[]
  readonly #snapshot: IndexSnapshot
  readonly #forms: FormPlaces[][] = []

  constructor(words: readonly WeighedWord[], snapshot: IndexSnapshot) {
    this.#words = words
    this.#snapshot = snapshot
  }

  /** The occurrences in the visible fields of a document, in the order of the text. */
  in(at: number, { layout }: VisiblePart, doc: number): Occurrence[] {
    const class0 = layout.classAt[layout.runOf[doc]!]!
    const found: Occurrence[] = []
    this.#forms[at] ??= this.#formsIn(at)
    for (const form of this.#forms[at]!) {
      const { postings, starts, word, closeness } = form
      const { docs, slots, to } = postings
      const first = entryFrom(postings, starts, doc)
      for (let entry = first; first >= 0 && entry < to && docs[entry] === doc; entry++) {
        const slot = slots[entry]!
        if (layout.classes[class0 + slot]! < 0) continue
        form.reader ??= new PlacesReader(this.#snapshot.places(form.term, at), postings)
        const count = form.reader.read(entry)
        const { places } = form.reader
        for (let index = 0; index < count; index++) found.push({ slot, place: places[index]!, word, closeness })
      }
    }
    return found.length > 1 ? inTextOrder(found) : found
  }

  #formsIn(at: number): FormPlaces[] {
    const found: FormPlaces[] = []
    for (const [word, { forms }] of this.#words.entries())
      for (const { term, closeness } of forms) {
        const postings = this.#snapshot.postings(term, at)
        if (!postings) continue
        const starts = knownStarts(postings)
        found.push({ word, term, closeness, postings, starts, reader: undefined })
      }
    return found
  }
}

/** Up to this many occurrences are sorted by insertion, which makes no copy of the list. */
const FEW = 24

const comparePlaces = (a: Occurrence, b: Occurrence): number => a.slot - b.slot || a.place - b.place || a.word - b.word

function inTextOrder(found: Occurrence[]): Occurrence[] {
  if (found.length > FEW) return found.sort(comparePlaces)
  for (let next = 1; next < found.length; next++) {
    const one = found[next]!
    let at = next
    for (; at > 0 && comparePlaces(found[at - 1]!, one) > 0; at--) found[at] = found[at - 1]!
    found[at] = one
  }
  return found
}
