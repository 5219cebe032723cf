/** The constants of the ranking. A benchmark turns one of them off to measure its effect. */
export interface Levers {
  /**
   * The share of an occurrence that counts for neighbours in the conversation, the nearest neighbour first. If empty,
   * words do not count for neighbours.
   */
  readonly window: readonly number[]
  /**
   * Every word counts for at least this many records before and after. It finds these records even if they have no word
   * of the query themselves.
   */
  readonly windowNear: number
  /** A rare word counts for more neighbours. It may reach about this many on each side, over all its records. */
  readonly windowReach: number
  /** A word counts for neighbours if at most this share of the records has it, or at most `windowRecords`. */
  readonly windowShare: number
  readonly windowRecords: number
  /**
   * Words count for neighbours only in fields with at most this many words on average, because a message depends on its
   * neighbours and a page does not.
   */
  readonly windowWords: number
  /** The weight of an occurrence in a field that names an author, a recipient or a participant. */
  readonly actor: number
  /** The share of the query's weight that a record gains if its time is one that the query names. */
  readonly date: number
  /** The share of a word's weight that a record gains if the word is the name of its stream or of one of its fields. */
  readonly fieldNames: number
  /** The max. share of a word's weight that it gains from other words close to it. */
  readonly proximity: number
  /** Words that are further apart than this many words give each other nothing. */
  readonly near: number
  /** The value of occurrences, in average occurrences, at which a word counts half of its weight. */
  readonly saturation: number
  /**
   * How much the length of a field lowers the value of an occurrence. 0: not at all, 1: in proportion to the length.
   */
  readonly lengthShare: number
  /** The word itself counts at least this share of an average occurrence, in a text of any length. */
  readonly minValue: number
  /** A word covers its whole weight if its occurrences have at least this value, in average occurrences. */
  readonly whole: number
  /** The share of its score that a record keeps if it covers hardly any of the query's weight. */
  readonly uncovered: number
  /** The share of their weight that words get which only build the sentence. */
  readonly functionWord: number
  /**
   * The value of a guessed form, compared with the word itself in a field of average length. A guessed form gains
   * nothing in a shorter field.
   */
  readonly guessed: number
  /**
   * A record loses grains if earlier ones have the same kind. It keeps this share of them for each earlier one beyond
   * the first `alikeFree`, which keep all.
   */
  readonly alike: number
  readonly alikeFree: number
  /** The same for copies: records of the same kind that are about equally long. */
  readonly copyFree: number
  /** Min. closeness of a term that is two words of the query in one. More than 1 turns such terms off. */
  readonly joined: number
  /** The weight of currencies in a question that asks for an amount of money. */
  readonly money: number
}

/**
 * These values were chosen with meetings, conversations and paragraphs in twelve languages together. See
 * bench/retrieval.md.
 */
export const LEVERS: Levers = {
  window: [
    ...[0.4, 0.25, 0.15, 0.12, 0.1, 0.1, 0.08, 0.08, 0.06, 0.06],
    ...[0.05, 0.05, 0.05, 0.04, 0.04, 0.04, 0.03, 0.03, 0.03, 0.02],
  ],
  windowNear: 3,
  windowReach: 8000,
  windowShare: 0.005,
  windowRecords: 1000,
  windowWords: 64,
  actor: 3,
  date: 0.1,
  fieldNames: 0.25,
  proximity: 0.25,
  near: 10,
  saturation: 0.5,
  lengthShare: 0.4,
  minValue: 0.0625,
  whole: 0.2,
  uncovered: 0.3,
  functionWord: 0.25,
  guessed: 0.6,
  alike: 0.8,
  alikeFree: 3,
  copyFree: 1,
  joined: 0.7,
  money: 0.5,
}
