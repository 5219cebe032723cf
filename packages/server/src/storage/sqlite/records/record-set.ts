import type { RequestSignal } from '../../../lib/request-signal.ts'
import type { Handle } from '../engine/database.ts'
import type { Feed } from './feeds.ts'
import { arrivalIndex } from './layout.ts'
import type { RecordRows } from './record-rows.ts'
import { type Condition, joinConditions } from './scope-sql.ts'

/** Records per statement if no index finds the matching ones. Other requests get a turn in between. */
const SLICE = 2000
/** Max. numbers in all cached sets: 16 MB while record numbers are below 2^32. */
const MAX_CACHED = 4_000_000

/** The record numbers of one feed that match the limits of a scope. */
export class RecordSet {
  readonly #numbers: Uint32Array | Float64Array

  constructor(numbers: readonly number[]) {
    const isSmall = numbers.every((number) => number < 2 ** 32)
    this.#numbers = (isSmall ? Uint32Array : Float64Array).from(numbers).sort()
  }

  get size(): number {
    return this.#numbers.length
  }

  /** The number at a position, oldest first. A position beyond the ends returns the end. */
  at(place: number): number {
    return this.#numbers[Math.max(0, Math.min(this.size - 1, place))] ?? 0
  }

  has(number: number): boolean {
    return this.#numbers[this.placeOf(number)] === number
  }

  /** How many numbers in the set are smaller. */
  placeOf(number: number): number {
    let [low, high] = [0, this.size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#numbers[middle]! < number) low = middle + 1
      else high = middle
    }
    return low
  }

  between(min: number, max: number): number[] {
    return Array.from(this.#numbers.subarray(this.placeOf(min), this.placeOf(max + 1)))
  }
}

/** Cached sets. A set is valid until its feed changes; the least recently used are dropped for space. */
export class RecordSets {
  readonly #handle: Handle
  readonly #maxCached: number
  readonly #sets = new Map<string, RecordSet>()
  #cached = 0

  constructor(handle: Handle, maxCached = MAX_CACHED) {
    this.#handle = handle
    this.#maxCached = maxCached
  }

  async get(
    rows: RecordRows,
    feed: Feed,
    limits: readonly Limit[],
    signal: RequestSignal | undefined,
  ): Promise<RecordSet> {
    const { sql, values } = joinConditions(limits)
    const name = JSON.stringify([feed.feed, feed.version, sql, values.map(String)])
    const set = this.#sets.get(name) ?? new RecordSet(await this.#read(rows, feed, limits, signal))
    // Move it to the end: the map is in order of use. The set in use is never dropped.
    this.#forget(name)
    this.#sets.set(name, set)
    this.#cached += set.size
    for (const oldest of this.#sets.keys()) {
      if (this.#cached <= this.#maxCached || oldest === name) break
      this.#forget(oldest)
    }
    return set
  }

  #forget(name: string): void {
    this.#cached -= this.#sets.get(name)?.size ?? 0
    this.#sets.delete(name)
  }

  async #read(
    rows: RecordRows,
    feed: Feed,
    limits: readonly Limit[],
    signal: RequestSignal | undefined,
  ): Promise<number[]> {
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
      await signal?.yieldIfDue()
    }
  }
}

/** A condition on single records, and whether an index finds the matching ones. */
export interface Limit extends Condition {
  readonly isIndexed: boolean
}
