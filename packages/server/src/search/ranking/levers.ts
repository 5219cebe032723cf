/** The numbers that a ranking depends on. A bench turns one lever off and measures what it gives. */
export interface Levers {
  /** Shares of a word that count for the records next to it in the conversation, the nearest first. Empty: no window. */
  readonly window: readonly number[]
  /** Every word counts for this many records before and after. They are found by it, even if they have no word themselves. */
  readonly windowNear: number
  /** A rare word counts for more records, so that it counts for about this many in all on each side. */
  readonly windowReach: number
  /** A word counts for neighbours if no more than this share of the records has it, or few records do. */
  readonly windowShare: number
  readonly windowRecords: number
  /** Words count for neighbours in fields of no more than this many words on average: a message leans on others, a page does not. */
  readonly windowWords: number
  /** The weight of a word in a field that names who wrote something, was sent it or took part. */
  readonly actor: number
  /** The share of the query's weight that a record of the named time gains. */
  readonly date: number
  /** The share of a word's weight that a record gains if the word names one of its fields or its stream. */
  readonly fieldNames: number
  /** The share of a word's weight that it gains at most from words close to it. */
  readonly proximity: number
  /** Words further apart than this many words do not support each other. */
  readonly near: number
  /** A word counts half of its weight when its occurrences count this much. */
  readonly saturation: number
  /** How much the length of a field divides what is said in it. */
  readonly lengthShare: number
  /** A word that counts this share of one occurrence is wholly there. */
  readonly whole: number
  /** How much of its score a record keeps that has hardly any of what the query is about. */
  readonly uncovered: number
  /** The weight of words that only build the sentence. */
  readonly functionWord: number
  /** How much a guessed form counts, beside the word itself in a text of average length. It gains nothing in a short one. */
  readonly guessed: number
  /** The share of its grains that each further record keeps that is like earlier ones, and how many keep all. */
  readonly alike: number
  readonly alikeFree: number
  /** Two words of the query that an index has as one must share this much of it. More than 1: never. */
  readonly joined: number
  /** The weight of currencies in a question that asks for an amount of money. */
  readonly money: number
}

/** Chosen on meetings, conversations and paragraphs in twelve languages together; see bench/retrieval.md. */
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
  whole: 0.2,
  uncovered: 0.3,
  functionWord: 0.25,
  guessed: 0.6,
  alike: 0.8,
  alikeFree: 3,
  joined: 0.7,
  money: 0.5,
}
