import { closenessOf } from './match-finder.ts'
import { averageOf } from './ranking.ts'
import type { Occurrences, SearchedIndex } from './searched-index.ts'
import type { WeightedWord } from './word-weight.ts'

/** Where one word of the query stands in the documents of one feed. */
export interface OccurrenceList extends Occurrences {
  /** Its position in the list of words. */
  readonly word: number
  /** How close each place is to the word; null where all are the word itself. */
  readonly closeness: Float64Array | null
}

/**
 * The documents in which words were found. Thousands come in, so they are columns of numbers; the places themselves
 * stay in the lists as they came. A run is what one list has of one document, and the runs of a document are a chain.
 */
export class MetDocuments {
  readonly feeds: number[] = []
  readonly ids: number[] = []
  readonly lists: OccurrenceList[] = []
  /** The last run of each document, and of each run its list, its first place, the end of it and the run before it. */
  readonly lastRun: number[] = []
  readonly runs = { list: [] as number[], from: [] as number[], to: [] as number[], before: [] as number[] }
  readonly #indexes: readonly SearchedIndex[]
  readonly #words: readonly WeightedWord[]
  /** Which documents the first list of a feed brought. */
  readonly #firsts: ({ from: number; to: number } | undefined)[]
  /** Numbers of documents by id; made when a feed's documents come up a second time. */
  readonly #numbers: (Map<number, number> | undefined)[]
  readonly #totals = new Map<string, { words: number; count: number }>()

  constructor(indexes: readonly SearchedIndex[], words: readonly WeightedWord[]) {
    this.#indexes = indexes
    this.#words = words
    this.#firsts = indexes.map(() => undefined)
    this.#numbers = indexes.map(() => undefined)
  }

  /** Takes in all documents with this word; of each feed only these, where they are given. */
  add(word: number, within?: readonly (readonly number[])[]): void {
    const sought = this.#words[word]!
    const known = new Map<string, number>()
    for (const [feed, index] of this.#indexes.entries()) {
      if (sought.frequencies[feed] === 0 || within?.[feed]?.length === 0) continue
      for (const found of index.occurrences(sought, within?.[feed])) {
        const closeness = found.terms && Float64Array.from(found.terms, (term) => closenessIn(known, term, sought))
        this.#take(feed, { ...found, word, closeness })
      }
    }
  }

  /** The documents of a feed: their numbers by their ids. */
  numbersOf(feed: number): Map<number, number> {
    const known = this.#numbers[feed]
    if (known) return known
    const numbers = new Map<number, number>()
    const { from, to } = this.#firsts[feed] ?? { from: 0, to: 0 }
    for (let number = from; number < to; number++) numbers.set(this.ids[number]!, number)
    this.#numbers[feed] = numbers
    return numbers
  }

  /** Average words of each field, over all documents met. */
  averages(): Map<string, number> {
    return averageOf(this.#totals)
  }

  #take(feed: number, list: OccurrenceList): void {
    const { ids, count, closeness } = list
    const number = this.lists.push(list) - 1
    // Of one term each document comes once: the first list of a feed has only new ones.
    const isFirst = closeness === null && !this.#firsts[feed] && !this.#numbers[feed]
    const known = isFirst ? undefined : this.numbersOf(feed)
    const totals = this.#totalsOf(feed)
    const opened = this.ids.length
    for (let from = 0; from < count; ) {
      const id = ids[from]!
      let to = from + 1
      while (to < count && ids[to] === id) to++
      if (closeness === null || closeness.subarray(from, to).some((close) => close > 0)) {
        let document = known?.get(id)
        if (document === undefined) {
          document = this.#open(feed, id, list, from, totals)
          known?.set(id, document)
        }
        this.lastRun[document] = this.#addRun(number, from, to, this.lastRun[document]!)
      }
      from = to
    }
    if (isFirst) this.#firsts[feed] = { from: opened, to: this.ids.length }
  }

  #open(feed: number, id: number, { lengths }: OccurrenceList, place: number, totals: readonly FieldTotal[]): number {
    for (let field = 0; field < totals.length; field++) {
      const total = totals[field]!
      total.words += lengths[place * totals.length + field]!
      total.count++
    }
    this.feeds.push(feed)
    this.lastRun.push(-1)
    return this.ids.push(id) - 1
  }

  #addRun(list: number, from: number, to: number, before: number): number {
    const { runs } = this
    runs.from.push(from)
    runs.to.push(to)
    runs.before.push(before)
    return runs.list.push(list) - 1
  }

  #totalsOf(feed: number): FieldTotal[] {
    return this.#indexes[feed]!.fields.map(({ key }) => {
      const total = this.#totals.get(key) ?? { words: 0, count: 0 }
      this.#totals.set(key, total)
      return total
    })
  }
}

type FieldTotal = { words: number; count: number }

function closenessIn(known: Map<string, number>, term: string, sought: WeightedWord): number {
  const closeness = known.get(term) ?? closenessOf(term, sought)
  known.set(term, closeness)
  return closeness
}
