import {
  coverage,
  formShare,
  lengthNorm,
  type RankedField,
  type Score,
  saturated,
  scoreDocument,
  tierOf,
} from './rank.ts'
import { averageOf, fieldWeight, GRAIN } from './ranking.ts'
import { closenessOf, type Hit, SAME_WORD } from './scan.ts'
import type { EmitOccurrence, SearchedIndex } from './searched-index.ts'
import type { WeightedWord } from './word-weight.ts'

export interface RankedPlace {
  readonly feed: number
  readonly id: number
  readonly tier: Score['tier']
  /** The score in grains: those with the same are equals. */
  readonly grains: number
}

/** The sum over the words met, how many they are and what they weigh. */
interface Known {
  readonly score: number
  readonly words: number
  readonly weight: number
  readonly tier: Score['tier']
}

type Weighed = Omit<RankedField, 'scan'>

/** One number orders documents: by tier, then by the score in grains, then the later arrival first. */
const IDS = 2 ** 32
const GRAINS = 2 ** 17

/**
 * Every document that has one of some rare words, read from the index alone: where the words stand and how long the
 * fields are is nearly all that a score needs, at a tenth of the cost of reading the documents. Thousands come in, so
 * they are kept as columns of numbers; the places of a document are a chain.
 */
export class FirstPass {
  readonly #indexes: readonly SearchedIndex[]
  readonly #words: readonly WeightedWord[]
  readonly #numbers: readonly Map<number, number>[]
  readonly #document = { feed: [] as number[], id: [] as number[], last: [] as number[], lengths: [] as number[] }
  /** Where the lengths of a document's fields begin, and which words it has beside the rare ones. */
  readonly #starts: number[] = []
  readonly #others = new Map<number, { weight: number; words: number }>()
  readonly #place = {
    word: [] as number[],
    closeness: [] as number[],
    field: [] as number[],
    position: [] as number[],
    before: [] as number[],
  }
  readonly #totals = new Map<string, { words: number; count: number }>()
  /** The tier of a document that has one word alone. */
  readonly #tiers: readonly Score['tier'][]

  constructor(indexes: readonly SearchedIndex[], words: readonly WeightedWord[]) {
    this.#indexes = indexes
    this.#words = words
    this.#numbers = indexes.map(() => new Map())
    this.#tiers = words.map((_, word) => tierOf(words, [word]))
  }

  get size(): number {
    return this.#document.id.length
  }

  /** Takes in all documents with this word; of each feed only these, where they are given. */
  add(word: number, within?: readonly (readonly number[])[]): void {
    const sought = this.#words[word]!
    const known = new Map<string, number>()
    for (const [feed, index] of this.#indexes.entries()) {
      if (sought.frequencies[feed] === 0 || within?.[feed]?.length === 0) continue
      const take: EmitOccurrence = (id, field, position, lengths, term) => {
        let closeness = 1
        if (term !== null) {
          closeness = known.get(term) ?? closenessOf(term, sought)
          known.set(term, closeness)
          if (closeness === 0) return
        }
        const number = this.#numbers[feed]!.get(id) ?? this.#open(feed, id, lengths)
        const { last } = this.#document
        const place = this.#place
        place.before.push(last[number]!)
        last[number] = place.word.push(word) - 1
        place.closeness.push(closeness)
        place.field.push(field)
        place.position.push(position)
      }
      index.eachOccurrence(sought, take, within?.[feed])
    }
  }

  /** A word that is too common to be taken in: of those here, which have it. */
  addPresence(word: number, newest: (feed: number, limit: number) => readonly number[]): void {
    const { weight } = this.#words[word]!
    for (const [feed, numbers] of this.#numbers.entries()) {
      if (numbers.size === 0 || this.#words[word]!.frequencies[feed] === 0) continue
      for (const id of newest(feed, numbers.size)) {
        const number = numbers.get(id)
        if (number === undefined) continue
        const { weight: before, words } = this.#others.get(number) ?? { weight: 0, words: 0 }
        this.#others.set(number, { weight: before + weight, words: words + 1 })
      }
    }
  }

  /** Average words of each field, over all documents met. */
  averages(): Map<string, number> {
    return averageOf(this.#totals)
  }

  /** The best by what is known of them, best first. */
  best(most: number): RankedPlace[] {
    const averages = this.averages()
    const fields = this.#indexes.map((index) =>
      index.fields.map(({ key, role }): Weighed => {
        const averageLength = averages.get(key) ?? 1
        return { averageLength, weight: fieldWeight(role, averageLength) }
      }),
    )
    const content = this.#words.filter((word) => word.content).length
    const total = this.#words.reduce((sum, { weight }) => sum + weight, 0)
    const { feed, id } = this.#document
    const keys = new Float64Array(this.size)
    for (let number = 0; number < keys.length; number++) {
      const { score, words, weight, tier } = this.#score(number, fields[feed[number]!]!)
      const others = this.#others.get(number)
      const sum = score + (others?.weight ?? 0) * saturated(1)
      const share = total === 0 ? 1 : (weight + (others?.weight ?? 0)) / total
      const grains = Math.min(GRAINS - 1, Math.round((sum * coverage(share)) / GRAIN))
      const reached = others && words + others.words >= content ? Math.max(1, tier) : tier
      keys[number] = (reached * GRAINS + grains) * IDS + Math.min(id[number]!, IDS - 1)
    }
    const least = keys.length <= most ? 0 : keys.toSorted()[keys.length - most]!
    const chosen: number[] = []
    for (let number = 0; number < keys.length; number++) if (keys[number]! >= least) chosen.push(number)
    return chosen
      .sort((a, b) => keys[b]! - keys[a]!)
      .slice(0, most)
      .map((number): RankedPlace => {
        const score = Math.floor(keys[number]! / IDS)
        const tier = Math.floor(score / GRAINS) as Score['tier']
        return { feed: feed[number]!, id: id[number]!, tier, grains: score % GRAINS }
      })
  }

  /** Nearly always one word, met once. */
  #score(number: number, fields: readonly Weighed[]): Known {
    const { word, closeness, field, before } = this.#place
    const last = this.#document.last[number]!
    let [count, closest] = [0, 0]
    for (let at = last; at >= 0; at = before[at]!) {
      if (word[at] !== word[last]) return this.#scoreWords(number, fields)
      const { averageLength, weight } = fields[field[at]!]!
      const length = this.#document.lengths[this.#starts[number]! + field[at]!]!
      count += lengthNorm(weight, length, averageLength) * formShare(closeness[at]!, this.#words[word[at]!]!)
      closest = Math.max(closest, closeness[at]!)
    }
    const { weight } = this.#words[word[last]!]!
    return {
      score: weight * saturated(count),
      words: 1,
      weight,
      tier: closest < SAME_WORD ? 0 : this.#tiers[word[last]!]!,
    }
  }

  #scoreWords(number: number, fields: readonly Weighed[]): Known {
    const { word, closeness, field, position, before } = this.#place
    const hits = fields.map((): Hit[] => [])
    for (let at = this.#document.last[number]!; at >= 0; at = before[at]!)
      hits[field[at]!]!.push({ word: word[at]!, closeness: closeness[at]!, position: position[at]!, start: 0, end: 0 })
    const ranked = fields.map((weighed, index) => ({
      ...weighed,
      scan: {
        length: this.#document.lengths[this.#starts[number]! + index]!,
        hits: hits[index]!.sort((a, b) => a.position - b.position),
      },
    }))
    const { sum, words, tier } = scoreDocument(ranked, this.#words)
    const weight = words.reduce((all, met) => all + this.#words[met]!.weight, 0)
    return { score: sum, words: words.length, weight, tier }
  }

  #open(feed: number, id: number, lengths: readonly number[]): number {
    const { fields } = this.#indexes[feed]!
    const number = this.#document.id.push(id) - 1
    this.#document.feed.push(feed)
    this.#document.last.push(-1)
    this.#starts.push(this.#document.lengths.length)
    for (let field = 0; field < fields.length; field++) {
      const length = lengths[field]!
      this.#document.lengths.push(length)
      const total = this.#totals.get(fields[field]!.key)
      if (!total) this.#totals.set(fields[field]!.key, { words: length, count: 1 })
      else {
        total.words += length
        total.count++
      }
    }
    this.#numbers[feed]!.set(id, number)
    return number
  }
}
