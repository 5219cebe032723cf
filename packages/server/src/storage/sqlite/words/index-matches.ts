import { estimateFrequency } from '../../../search/ranking/frequency.ts'
import type { Handle } from '../engine/database.ts'
import type { RecordSet } from '../records/record-set.ts'

/** The answers of the word index of one feed to an expression. */
export interface IndexMatches {
  readonly documents: number
  /** The newest that match, among the newest share of the documents: at least `limit`, if that many match. */
  newest(expression: string, limit: number, share: number): Newest
  /** How many match, counted no further than `most`. */
  count(expression: string, most: number): number
  /** Whether a record of the feed is among those that are searched. */
  has(record: number): boolean
  /** How many match, told from the newest that do: exact where these are all, otherwise carried on. */
  frequency(sample: readonly number[]): number
}

export interface Newest {
  readonly ids: readonly number[]
  /** Whether there are no more. */
  readonly complete: boolean
}

/** Numbers of the oldest and of the newest record. */
interface Edges {
  readonly oldestId: number
  readonly newestId: number
}

// A number is bound as a real, and the index stops by itself only at an integer.
const INTEGER = 'cast(? as integer)'

/** All records of the feed. */
export class AllMatches implements IndexMatches {
  readonly documents: number
  readonly #handle: Handle
  readonly #index: string
  readonly #edges: Edges

  constructor(handle: Handle, index: string, documents: number, edges: Edges) {
    this.#handle = handle
    this.#index = index
    this.documents = documents
    this.#edges = edges
  }

  newest(expression: string, limit: number, share: number): Newest {
    const { oldestId, newestId } = this.#edges
    const [from, values] =
      share === 1 ? ['', []] : [`and rowid >= ${INTEGER}`, [Math.floor(newestId - (newestId - oldestId) * share)]]
    const sql = `select rowid from ${this.#index} where ${this.#index} match ? ${from} order by rowid desc limit ?`
    const ids = this.#handle.column<number>(sql, expression, ...values, limit)
    return { ids, complete: ids.length < limit }
  }

  count(expression: string, most: number): number {
    const sql = `select count(*) n from (select 1 from ${this.#index} where ${this.#index} match ? limit ?)`
    return this.#handle.get<{ n: number }>(sql, expression, Number.isFinite(most) ? most : -1)!.n
  }

  has(): boolean {
    return true
  }

  frequency(sample: readonly number[]): number {
    return estimateFrequency(sample, { documents: this.documents, ...this.#edges })
  }
}

const FIRST_CHUNK = 128
const LARGEST_CHUNK = 32_768
/** Max. matches outside the set that are skipped per record of the set. Above this, each record is looked up by itself. */
const MAX_SKIPPED_PER_RECORD = 20

/**
 * Some records of the feed. What matches is read in the order of arrival and passed over where it is not in the set;
 * whatever the rest of the feed holds, the answer is the same. Where the set is small beside it, its records are asked for.
 */
export class MatchesInSet implements IndexMatches {
  readonly #handle: Handle
  readonly #index: string
  readonly #set: RecordSet

  constructor(handle: Handle, index: string, set: RecordSet) {
    this.#handle = handle
    this.#index = index
    this.#set = set
  }

  get documents(): number {
    return this.#set.size
  }

  newest(expression: string, limit: number, share: number): Newest {
    const set = this.#set
    const ids: number[] = []
    if (set.size === 0) return { ids, complete: true }
    const least = set.at(Math.floor(set.size * (1 - share)))
    const sql = `select rowid from ${this.#index} where ${this.#index} match ?
      and rowid >= ${INTEGER} and rowid <= ${INTEGER} order by rowid desc limit ?`
    let [upTo, chunk, passed] = [set.at(set.size - 1), FIRST_CHUNK, 0]
    while (ids.length < limit) {
      if (passed > set.size * MAX_SKIPPED_PER_RECORD)
        return { ids: [...ids, ...this.#ask(expression, least, upTo)], complete: true }
      const found = this.#handle.column<number>(sql, expression, least, upTo, chunk)
      for (const id of found) if (set.has(id)) ids.push(id)
      if (found.length < chunk) return { ids, complete: true }
      passed += found.length
      upTo = found.at(-1)! - 1
      chunk = Math.min(LARGEST_CHUNK, chunk * 4)
    }
    return { ids, complete: false }
  }

  count(expression: string, most: number): number {
    return Math.min(most, this.newest(expression, most, 1).ids.length)
  }

  has(record: number): boolean {
    return this.#set.has(record)
  }

  /** By places in the set: what lies between its records does not count. */
  frequency(sample: readonly number[]): number {
    const places = sample.map((id) => this.#set.placeOf(id))
    return estimateFrequency(places, { documents: this.documents, oldestId: 0, newestId: this.documents - 1 })
  }

  /** Which of the set's own records match, the newest first. */
  #ask(expression: string, least: number, upTo: number): number[] {
    const sql = `select rowid from ${this.#index} where ${this.#index} match ? and rowid in (select value from json_each(?))`
    const asked = this.#set.between(least, upTo)
    return this.#handle.column<number>(sql, expression, JSON.stringify(asked)).sort((a, b) => b - a)
  }
}
