import { MAX_DOCUMENTS } from '../../segments/segment.ts'

/** Max. of a sum. The limit gives the same result in any order of addition, and keeps sums in 32 bits. */
export const MAX_SUM: number = 2 ** 29
/** Added to the sum of a document that has the only word of the query as it was typed. Larger than any sum. */
export const EXACT: number = 2 ** 30
/**
 * Scores and weights are whole multiples of 1/PARTS, so that their order of addition does not matter. Those of all
 * words together fit into 32 bits.
 */
export const PARTS = 65_536
/**
 * Parts of a score that a document with the typed word gets in addition to the most that other forms can reach, if the
 * query has no other word. They are at least one grain.
 */
export const EXACT_PARTS = 64

// One search runs at a time in a thread, so all searches use the same arrays. They are only as large as a segment, so
// they stay in the processor's cache.

/** `sums` has for each document the sum of the current word. `touched` lists the documents whose sum is not 0. */
export const sums: Int32Array = new Int32Array(MAX_DOCUMENTS)
export const touched: Uint16Array = new Uint16Array(MAX_DOCUMENTS)
/** For each document its score, then the weight of the query that it covers, both in units of 1/PARTS. */
export const scores: Int32Array = new Int32Array(2 * MAX_DOCUMENTS)
/**
 * 0 if no word has found the document yet. Otherwise one more than the number of words of content that it has itself.
 */
export const met: Uint16Array = new Uint16Array(MAX_DOCUMENTS)
/**
 * 1 if a word of a near neighbour counts for the document. Words of further neighbours alone do not make it a match.
 */
export const neared: Uint8Array = new Uint8Array(MAX_DOCUMENTS)
export const found: Uint16Array = new Uint16Array(MAX_DOCUMENTS)
