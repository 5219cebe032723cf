/** Megabytes, see `CACHE_BYTES`. */
const MEGABYTE = 1024 * 1024

/**
 * Max. bytes of each cache of a thread that searches. All but the last are of each owner; few threads search for more than
 * one.
 */
export const CACHE_BYTES = {
  /** Decoded postings. */
  postings: 52 * MEGABYTE,
  /** The names of terms in recently used parts of segments, and their positions. */
  terms: 4 * MEGABYTE,
  /** Encoded places of words. */
  places: 8 * MEGABYTE,
  /** The terms with a certain beginning. */
  beginnings: 4 * MEGABYTE,
  /** The documents that grants show. */
  scopes: 16 * MEGABYTE,
} as const

/** What a typed array takes in addition to its values, if it has memory of its own. */
export const BYTES_PER_ARRAY = 300
/** A list of postings without its entries: three arrays over shared memory, and an object that holds them. */
export const BYTES_PER_LIST = 400
export const BYTES_PER_ENTRY = 5
/** A short text without its letters, and the place that refers to it. */
export const BYTES_PER_TEXT = 40
