import type { RequestSignal } from '../../../lib/request-signal.ts'
import type { Handle } from '../engine/database.ts'
import type { Feed } from './feeds.ts'
import { arrivalIndex } from './layout.ts'
import type { RecordRows } from './record-rows.ts'
import { type Condition, joinConditions } from './scope-sql.ts'

/** Records that are looked at in one go where no index tells which of them are within the limits. */
const SLICE = 2000
/** Numbers that are kept, of all sets together: 16 MB, as long as there are fewer than four thousand million records. */
const MAX_KEPT = 4_000_000

/** The records of one feed that the limits of a scope leave, by their numbers. */
export class RecordSet {
  readonly #numbers: Uint32Array | Float64Array

  constructor(numbers: readonly number[]) {
    const isSmall = numbers.every((number) => number < 2 ** 32)
    this.#numbers = (isSmall ? Uint32Array : Float64Array).from(numbers).sort()
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
  readonly #mostKept: number
  readonly #sets = new Map<string, RecordSet>()
  #kept = 0

  constructor(handle: Handle, mostKept = MAX_KEPT) {
    this.#handle = handle
    this.#mostKept = mostKept
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
    // What was used last goes last; the one at hand always stays.
    this.#forget(name)
    this.#sets.set(name, set)
    this.#kept += set.size
    for (const oldest of this.#sets.keys()) {
      if (this.#kept <= this.#mostKept || oldest === name) break
      this.#forget(oldest)
    }
    return set
  }

  #forget(name: string): void {
    this.#kept -= this.#sets.get(name)?.size ?? 0
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

/** A limit on single records, and whether an index finds those within it. */
export interface Limit extends Condition {
  readonly isIndexed: boolean
}
