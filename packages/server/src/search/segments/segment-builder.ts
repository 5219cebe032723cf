import { eachToken, INDEXED_UNITS } from '../analysis/analyser.ts'
import { columnsOf, type DocumentColumns, RunBuilder } from './document-columns.ts'
import { groupHash } from './group-hash.ts'
import { lengthCode } from './length-code.ts'
import type { IndexedDocument, Segment } from './segment.ts'
import { TermWriter } from './term-writer.ts'

interface Placed extends IndexedDocument {
  readonly groupHash: number
}

/** Builds a segment of these documents. Every document has a text for each slot of its edition, which may be empty. */
export function buildSegment(documents: readonly IndexedDocument[]): Segment {
  const ordered = documents
    .map((document): Placed => ({ ...document, groupHash: groupHash(document.edition, document.group) }))
    .sort(inOrder)
  const occurrences = new Occurrences()
  const columns = layOut(ordered)
  let length = 0
  for (const [doc, { texts }] of ordered.entries()) {
    for (const [slot, text] of texts.entries()) columns.lengths[length++] = lengthCode(occurrences.add(doc, slot, text))
  }
  return { columns, ...occurrences.write() }
}

export function inOrder(
  a: { edition: number; groupHash: number; times: readonly number[]; number: number },
  b: { edition: number; groupHash: number; times: readonly number[]; number: number },
): number {
  return a.edition - b.edition || a.groupHash - b.groupHash || compare(a.times[0]!, b.times[0]!) || a.number - b.number
}

/** Two records without a time are equal, although the difference of their times is no number. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b)

function layOut(ordered: readonly Placed[]): DocumentColumns {
  const runs = new RunBuilder()
  for (const { edition, texts } of ordered) runs.add(edition, texts.length)
  const starts = ordered.flatMap(({ edition, groupHash: group }, doc) => {
    const before = ordered[doc - 1]
    return before?.edition === edition && before.groupHash === group ? [] : [doc]
  })
  const columns = columnsOf(ordered.length, runs.runs, starts.length)
  for (const [doc, { number, times }] of ordered.entries()) {
    columns.numbers[doc] = number
    columns.times[0][doc] = times[0]
    columns.times[1][doc] = times[1]
  }
  columns.groupStarts.set([...starts, ordered.length])
  columns.groups.set(starts.map((doc) => ordered[doc]!.groupHash))
  return columns
}

/** Every occurrence of a word, in the order of the documents. */
class Occurrences {
  readonly #ids = new Map<string, number>()
  readonly #terms: string[] = []
  #count = 0
  /** Per occurrence: the number of the term, the document with its slot, and the place in the field. */
  #term = new Uint32Array(4096)
  #field = new Uint32Array(4096)
  #place = new Uint32Array(4096)

  /** Returns how many words the text has. */
  add(doc: number, slot: number, text: string): number {
    const field = doc * 256 + slot
    let place = 0
    eachToken(text.length > INDEXED_UNITS ? text.slice(0, INDEXED_UNITS) : text, (term) => {
      let id = this.#ids.get(term)
      if (id === undefined) {
        id = this.#terms.push(term) - 1
        this.#ids.set(term, id)
      }
      if (this.#count === this.#term.length) this.#grow()
      this.#term[this.#count] = id
      this.#field[this.#count] = field
      this.#place[this.#count++] = place++
    })
    return place
  }

  #grow(): void {
    const grown = (old: Uint32Array) => {
      const larger = new Uint32Array(old.length * 2)
      larger.set(old)
      return larger
    }
    this.#term = grown(this.#term)
    this.#field = grown(this.#field)
    this.#place = grown(this.#place)
  }

  write(): Pick<Segment, 'terms' | 'termBytes'> {
    const { starts, fields, places } = this.#byTerm()
    const writer = new TermWriter()
    const terms = this.#terms
    const sorted = [...terms.keys()].sort((a, b) => (terms[a]! < terms[b]! ? -1 : 1))
    for (const id of sorted) {
      for (let at = starts[id]!; at < starts[id + 1]!; ) {
        const field = fields[at]!
        let end = at + 1
        while (end < starts[id + 1]! && fields[end] === field) end++
        writer.add(field >>> 8, field & 255, places, at, end)
        at = end
      }
      writer.end(terms[id]!)
    }
    return { terms: writer.terms, termBytes: writer.termBytes }
  }

  /** Sorts by term, by counting. Within a term the order of documents stays. */
  #byTerm() {
    const starts = new Uint32Array(this.#terms.length + 1)
    for (let at = 0; at < this.#count; at++) starts[this.#term[at]! + 1]!++
    for (let id = 0; id < this.#terms.length; id++) starts[id + 1]! += starts[id]!
    const next = starts.slice()
    const [fields, places] = [new Uint32Array(this.#count), new Uint32Array(this.#count)]
    for (let at = 0; at < this.#count; at++) {
      const to = next[this.#term[at]!]!++
      fields[to] = this.#field[at]!
      places[to] = this.#place[at]!
    }
    return { starts, fields, places }
  }
}
