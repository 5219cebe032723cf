/** The record numbers inside a limit. */
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

/** A class is one search field of one stream. All connections of a source share it. */
export interface FieldClass {
  readonly field: string
  readonly role: string | undefined
}

/** The part of one edition, and so of one feed, that a grant shows. */
export interface EditionScope {
  readonly feed: number
  /**
   * The position of the feed in the order of names. The feed's number must not affect the order of hits, because it
   * tells when the first record came, even a hidden one.
   */
  readonly order: number
  /** For each slot the class of its field, as a position in `classes`. -1 if the grant hides the field. */
  readonly slots: readonly number[]
  /** The time column that orders hits of equal score. Undefined if the grant hides both. */
  readonly orderedBy: 0 | 1 | undefined
  /** True if the grant shows the conversation of a record and the first of its two times. */
  readonly isGrouped: boolean
  /** The words in the name of the stream and of its granted fields. */
  readonly names: ReadonlySet<string>
  readonly times: readonly TimeLimit[]
  /** Set if the grant names single records. */
  readonly only: NumberSet | undefined
}

/**
 * The part of an index that a grant shows, as numbers. All statistics are computed from this part alone, so that hidden
 * records and fields change no weight and no order.
 */
export interface IndexScope {
  /** Scopes with the same name show the same records and fields. */
  readonly name: string
  readonly classes: readonly FieldClass[]
  readonly editions: ReadonlyMap<number, EditionScope>
}

/** The conditions of a request. They select among the matches. They change neither weights nor the order. */
export interface MatchFilter {
  accepts(edition: number, number: number, times: readonly [number, number]): boolean
}
