import { MAX_DOCUMENTS } from '../../segments/segment.ts'

/** Sums stop here, whatever the order of addition, and stay whole numbers of 32 bits. */
export const MAX_SUM: number = 2 ** 29
/** Marks the sum of a document that has the only word of a query as it was typed. It is more than any sum. */
export const EXACT: number = 2 ** 30
/** Parts of a score and of a weight. Those of all words together fit into 32 bits. */
export const PARTS = 65_536

// One search runs at a time in a thread, so all searches use the same arrays. They are as small as a segment and stay
// in the processor's cache.

/** For each document the sum of the current word, and the documents that have one. */
export const sums: Int32Array = new Int32Array(MAX_DOCUMENTS)
export const touched: Uint16Array = new Uint16Array(MAX_DOCUMENTS)
/** For each document its score, and the weight of the words that it has, in whole parts: sums have no order. */
export const scores: Int32Array = new Int32Array(2 * MAX_DOCUMENTS)
/** 0 if no word found the document, else one more than the number of words of content that it has itself. */
export const met: Uint16Array = new Uint16Array(MAX_DOCUMENTS)
/** 1 if a word of a near neighbour counts for the document. Further ones do not find it. */
export const neared: Uint8Array = new Uint8Array(MAX_DOCUMENTS)
export const found: Uint16Array = new Uint16Array(MAX_DOCUMENTS)
