import { type Condition, joinConditions } from '../../records/conditions.ts'
import { RecordSet } from '../../records/record-set.ts'
import type { Handle } from '../engine/database.ts'
import type { Feed } from './feeds.ts'
import type { RecordRows } from './record-rows.ts'
import { arrivalIndex } from './stream-table.ts'

/** Max. numbers in all cached sets of a thread: 8 MB while record numbers are below 2^32. */
const MAX_CACHED = 2_000_000

/** Cached sets. A set is valid until its feed changes; the least recently used sets are dropped to make space. */
export class RecordSets {
  readonly #handle: Handle
  readonly #maxCached: number
  readonly #sets = new Map<string, RecordSet>()
  #cached = 0

  constructor(handle: Handle, maxCached = MAX_CACHED) {
    this.#handle = handle
    this.#maxCached = maxCached
  }

  /** Sets with the same name have the same numbers. */
  nameOf({ feed, version }: Feed, limits: readonly Limit[]): string {
    const { sql, values } = joinConditions(limits)
    return JSON.stringify([feed, version, sql, values.map(String)])
  }

  get(rows: RecordRows, feed: Feed, limits: readonly Limit[]): RecordSet {
    const name = this.nameOf(feed, limits)
    const set = this.#sets.get(name) ?? new RecordSet(this.#read(rows, feed, limits))
    // Moves the set to the end, because the map is in order of use. The set in use is never dropped.
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

  #read(rows: RecordRows, feed: Feed, limits: readonly Limit[]): number[] {
    const { table } = rows.table
    const { sql, values } = joinConditions(limits)
    const isIndexed = limits.every((limit) => limit.isIndexed)
    // Without an index that fits, reading in the order of the file is the fastest.
    const from = isIndexed ? `${table} r` : `${table} r indexed by ${arrivalIndex(table)}`
    return this.#handle.column(`select r.id from ${from} where r.feed = ? and ${sql}`, feed.feed, ...values)
  }
}

/** A condition on single records, and whether an index finds the matching ones. */
export interface Limit extends Condition {
  readonly isIndexed: boolean
}
