/** The record numbers that a limit leaves. */
export interface NumberSet {
  has(number: number): boolean
}

/** A limit on one of a document's two times, in microseconds. A document without that time is outside. */
export interface TimeLimit {
  readonly column: 0 | 1
  readonly since: number
  /** Exclusive. */
  readonly until: number
}

/** A search field of a stream. Connections of one source share it. */
export interface FieldClass {
  readonly field: string
  readonly role: string | undefined
}

/** The part of one feed that a grant shows. */
export interface EditionScope {
  readonly feed: number
  /** Its place among the feeds by name. Numbers of feeds tell when their first records came, hidden ones included. */
  readonly order: number
  /** For each slot its field, as a position in `classes`; -1 if the grant hides it. */
  readonly slots: readonly number[]
  /** The time that orders hits of equal score; undefined if the grant hides both. */
  readonly orderedBy: 0 | 1 | undefined
  /** True if the grant shows which conversation a record belongs to, and the first of its times. */
  readonly isGrouped: boolean
  /** The words in the name of the stream and of its granted fields. */
  readonly names: ReadonlySet<string>
  readonly times: readonly TimeLimit[]
  /** Set if the grant names single records. */
  readonly only: NumberSet | undefined
}

/**
 * The part of an index that a grant shows, in numbers. All statistics are computed over it, so that hidden records and
 * fields change no weight and no order.
 */
export interface IndexScope {
  /** Scopes with the same name show the same. */
  readonly name: string
  readonly classes: readonly FieldClass[]
  readonly editions: ReadonlyMap<number, EditionScope>
}

/** The conditions of a request. They choose among the matches, and change neither weights nor the order. */
export interface MatchFilter {
  accepts(edition: number, number: number, times: readonly [number, number]): boolean
}
