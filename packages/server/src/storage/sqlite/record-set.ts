import type { Caller } from '../../lib/caller.ts'
import type { Handle } from './database.ts'
import type { Feed } from './feeds.ts'
import { arrivalIndex } from './layout.ts'
import type { RecordRows } from './record-rows.ts'
import { type Condition, joinConditions } from './scope-sql.ts'

/** Records that are looked at in one go where no index tells which of them are within the limits. */
const SLICE = 10_000
/** Numbers that are kept, of all sets together: 32 MB. */
const MOST_KEPT = 4_000_000

/** The records of one feed that the limits of a scope leave, by their numbers. */
export class RecordSet {
  readonly #numbers: Float64Array

  constructor(numbers: readonly number[]) {
    this.#numbers = Float64Array.from(numbers).sort()
  }

  get size(): number {
    return this.#numbers.length
  }

  /** The number at a place, the oldest first; those beyond the ends are the ends. */
  at(place: number): number {
    return this.#numbers[Math.max(0, Math.min(this.size - 1, place))] ?? 0
  }

  has(number: number): boolean {
    return this.#numbers[this.placeOf(number)] === number
  }

  /** How many of them are older. */
  placeOf(number: number): number {
    let [low, high] = [0, this.size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#numbers[middle]! < number) low = middle + 1
      else high = middle
    }
    return low
  }

  between(least: number, most: number): number[] {
    return Array.from(this.#numbers.subarray(this.placeOf(least), this.placeOf(most + 1)))
  }
}

/** Sets that were made, until their feed changes or others need the room. */
export class RecordSets {
  readonly #handle: Handle
  readonly #sets = new Map<string, RecordSet>()
  #kept = 0

  constructor(handle: Handle) {
    this.#handle = handle
  }

  async get(rows: RecordRows, feed: Feed, limits: readonly Limit[], caller: Caller | undefined): Promise<RecordSet> {
    const { sql, values } = joinConditions(limits)
    const name = JSON.stringify([feed.feed, feed.version, sql, values.map(String)])
    const known = this.#sets.get(name)
    this.#sets.delete(name)
    const set = known ?? new RecordSet(await this.#read(rows, feed, limits, caller))
    if (!known) this.#kept += set.size
    this.#sets.set(name, set)
    for (const [oldest, { size }] of this.#sets) {
      if (this.#kept <= MOST_KEPT || oldest === name) break
      this.#sets.delete(oldest)
      this.#kept -= size
    }
    return set
  }

  async #read(rows: RecordRows, feed: Feed, limits: readonly Limit[], caller: Caller | undefined): Promise<number[]> {
    const { table } = rows.table
    const { sql, values } = joinConditions(limits)
    if (limits.every(({ isIndexed }) => isIndexed))
      return this.#handle.column(`select r.id from ${table} r where r.feed = ? and ${sql}`, feed.feed, ...values)
    const numbers: number[] = []
    const slice = `select max(id) from (select id from ${table} where feed = ? and id > ? order by id limit ${SLICE})`
    const within = `select r.id from ${table} r indexed by ${arrivalIndex(table)}
      where r.feed = ? and r.id > ? and r.id <= ? and ${sql}`
    for (let from = -1; ; ) {
      const [to] = this.#handle.column<number | null>(slice, feed.feed, from)
      if (to == null) return numbers
      for (const number of this.#handle.column<number>(within, feed.feed, from, to, ...values)) numbers.push(number)
      from = to
      await caller?.pause()
    }
  }
}

/** A limit on single records, and whether an index finds those within it. */
export interface Limit extends Condition {
  readonly isIndexed: boolean
}
