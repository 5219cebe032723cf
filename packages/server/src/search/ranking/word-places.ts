import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import { PlacesReader } from '../segments/places-codec.ts'
import type { Postings } from '../segments/postings-codec.ts'
import { entryFrom, entryStarts } from './scoring/document-bits.ts'
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
  readonly starts: Int32Array | undefined
  reader: PlacesReader | undefined
}

/** Finds the occurrences of query words in documents. Reads the places of a term in a segment only once. */
class WordPlaces {
  readonly #words: readonly WeighedWord[]
  readonly #snapshot: IndexSnapshot
  readonly #forms: FormPlaces[][] = []

  constructor(words: readonly WeighedWord[], snapshot: IndexSnapshot) {
    this.#words = words
    this.#snapshot = snapshot
  }

  in(at: number, { layout }: VisiblePart, doc: number): Occurrence[] {
    const first = layout.classAt[layout.runOf[doc]!]!
    const found: Occurrence[] = []
    this.#forms[at] ??= this.#formsIn(at)
    for (const form of this.#forms[at]!) {
      const { postings, starts, word, closeness } = form
      const { docs, slots } = postings
      for (let entry = entryFrom(postings, starts, doc); entry >= 0 && docs[entry] === doc; entry++) {
        const slot = slots[entry]!
        if (layout.classes[first + slot]! < 0) continue
        form.reader ??= new PlacesReader(this.#snapshot.places(form.term, at), postings)
        const count = form.reader.read(entry)
        const { places } = form.reader
        for (let index = 0; index < count; index++) found.push({ slot, place: places[index]!, word, closeness })
      }
    }
    return found.length > 1 ? found.sort((a, b) => a.slot - b.slot || a.place - b.place || a.word - b.word) : found
  }

  #formsIn(at: number): FormPlaces[] {
    const found: FormPlaces[] = []
    for (const [word, { forms }] of this.#words.entries())
      for (const { term, closeness } of forms) {
        const postings = this.#snapshot.postings(term, at)
        if (!postings) continue
        const starts = entryStarts(postings, this.#snapshot.segments[at]!.columns.count)
        found.push({ word, term, closeness, postings, starts, reader: undefined })
      }
    return found
  }
}

const ofSearches = new WeakMap<readonly WeighedWord[], WordPlaces>()

/** The occurrences of a query's words in the visible fields of a document, in the order of the text. */
export function occurrencesIn(
  words: readonly WeighedWord[],
  snapshot: IndexSnapshot,
  at: number,
  part: VisiblePart,
  doc: number,
): Occurrence[] {
  const places = ofSearches.get(words) ?? new WordPlaces(words, snapshot)
  ofSearches.set(words, places)
  return places.in(at, part, doc)
}
