import { type Hit, SAME_WORD } from './match-finder.ts'
import { MetDocuments } from './met-documents.ts'
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
import { fieldWeight, GRAIN } from './ranking.ts'
import type { SearchedIndex } from './searched-index.ts'
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
 * fields are is nearly all that a score needs, at a tenth of the cost of reading the documents.
 */
export class FirstPass {
  readonly #indexes: readonly SearchedIndex[]
  readonly #words: readonly WeightedWord[]
  readonly #met: MetDocuments
  /** Of a document, by its number: what it has beside the rare words. */
  readonly #others = new Map<number, { weight: number; words: number }>()
  /** The tier of a document that has one word alone. */
  readonly #tiers: readonly Score['tier'][]

  constructor(indexes: readonly SearchedIndex[], words: readonly WeightedWord[]) {
    this.#indexes = indexes
    this.#words = words
    this.#met = new MetDocuments(indexes, words)
    this.#tiers = words.map((_, word) => tierOf(words, [word]))
  }

  get size(): number {
    return this.#met.ids.length
  }

  /** Takes in all documents with this word; of each feed only these, where they are given. */
  add(word: number, within?: readonly (readonly number[])[]): void {
    this.#met.add(word, within)
  }

  /** A word that is too common to be taken in: of those here, which have it. */
  addPresence(word: number, newest: (feed: number, limit: number) => readonly number[]): void {
    const { weight, frequencies } = this.#words[word]!
    for (const feed of this.#indexes.keys()) {
      const numbers = this.#met.numbersOf(feed)
      if (numbers.size === 0 || frequencies[feed] === 0) continue
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
    return this.#met.averages()
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
    const { feeds, ids } = this.#met
    const keys = new Float64Array(this.size)
    for (let number = 0; number < keys.length; number++) {
      const { score, words, weight, tier } = this.#score(number, fields[feeds[number]!]!)
      const others = this.#others.get(number)
      const sum = score + (others?.weight ?? 0) * saturated(1)
      const share = total === 0 ? 1 : (weight + (others?.weight ?? 0)) / total
      const grains = Math.min(GRAINS - 1, Math.round((sum * coverage(share)) / GRAIN))
      const reached = others && words + others.words >= content ? Math.max(1, tier) : tier
      keys[number] = (reached * GRAINS + grains) * IDS + Math.min(ids[number]!, IDS - 1)
    }
    return bestOf(keys, most).map((number): RankedPlace => {
      const score = Math.floor(keys[number]! / IDS)
      const tier = Math.floor(score / GRAINS) as Score['tier']
      return { feed: feeds[number]!, id: ids[number]!, tier, grains: score % GRAINS }
    })
  }

  /** Nearly always one word, met once. */
  #score(number: number, fields: readonly Weighed[]): Known {
    const { lists, lastRun, runs } = this.#met
    const { word } = lists[runs.list[lastRun[number]!]!]!
    const sought = this.#words[word]!
    let [count, closest] = [0, 0]
    for (let run = lastRun[number]!; run >= 0; run = runs.before[run]!) {
      const list = lists[runs.list[run]!]!
      if (list.word !== word) return this.#scoreWords(number, fields)
      for (let place = runs.from[run]!; place < runs.to[run]!; place++) {
        const field = list.fields[place]!
        const { averageLength, weight } = fields[field]!
        const length = list.lengths[place * fields.length + field]!
        const closeness = list.closeness === null ? 1 : list.closeness[place]!
        count += lengthNorm(weight, length, averageLength) * formShare(closeness, sought)
        closest = Math.max(closest, closeness)
      }
    }
    const { weight } = sought
    return { score: weight * saturated(count), words: 1, weight, tier: closest < SAME_WORD ? 0 : this.#tiers[word]! }
  }

  #scoreWords(number: number, fields: readonly Weighed[]): Known {
    const { lists, lastRun, runs } = this.#met
    const hits = fields.map((): Hit[] => [])
    for (let run = lastRun[number]!; run >= 0; run = runs.before[run]!) {
      const { word, closeness, positions, fields: fieldOf } = lists[runs.list[run]!]!
      for (let place = runs.from[run]!; place < runs.to[run]!; place++) {
        const close = closeness === null ? 1 : closeness[place]!
        if (close > 0)
          hits[fieldOf[place]!]!.push({ word, closeness: close, position: positions[place]!, start: 0, end: 0 })
      }
    }
    const { lengths } = lists[runs.list[lastRun[number]!]!]!
    const first = runs.from[lastRun[number]!]! * fields.length
    const ranked = fields.map((weighed, index) => ({
      ...weighed,
      scan: { length: lengths[first + index]!, hits: hits[index]!.sort((a, b) => a.position - b.position) },
    }))
    const { sum, words, tier } = scoreDocument(ranked, this.#words)
    const weight = words.reduce((all, met) => all + this.#words[met]!.weight, 0)
    return { score: sum, words: words.length, weight, tier }
  }
}

/** Which keys are the largest, in falling order. */
function bestOf(keys: Float64Array, most: number): number[] {
  const least = keys.length <= most ? 0 : keys.toSorted()[keys.length - most]!
  const chosen: number[] = []
  for (let number = 0; number < keys.length; number++) if (keys[number]! >= least) chosen.push(number)
  return chosen.sort((a, b) => keys[b]! - keys[a]!).slice(0, most)
}
