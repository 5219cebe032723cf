// The limits of the caches of the SQLite store, which docs/storage.md lists, and the sizes of cached values in both stores.
const MEGABYTE = 1024 * 1024

/** Max. bytes of each cache in a thread that searches. All but `scopes` are for each owner. */
export const CACHE_BYTES = {
  /** Decoded postings, with what the ranking remembers about them. */
  postings: 72 * MEGABYTE,
  /** The names of terms in recently used parts of segments, and their positions. */
  terms: 4 * MEGABYTE,
  /** Encoded postings of the parts that were used last. */
  partPostings: 1 * MEGABYTE,
  /** Encoded places of words. */
  places: 8 * MEGABYTE,
  /** The terms with a certain beginning. */
  beginnings: 4 * MEGABYTE,
  /** The documents that grants show. */
  scopes: 16 * MEGABYTE,
} as const

/** A typed array without its values, if it has memory of its own. */
export const BYTES_PER_ARRAY = 300
/** A list of postings without its entries: four arrays, their memory, and the object that holds them. */
export const BYTES_PER_LIST = 900
/** The same for a list that shares its arrays with others. */
export const BYTES_PER_SHARED_LIST = 90
/** The values of an entry, and the bounds that the ranking computes from them. */
export const BYTES_PER_ENTRY = 7
/** A short text without its letters, and the place that refers to it. */
export const BYTES_PER_TEXT = 40

/**
 * Max. kilobytes of pages that each connection to an SQLite file caches. The system caches the same pages, so more
 * would save little.
 */
export const PAGE_KILOBYTES = {
  writer: 32_768,
  reader: 8192,
  /** SQLite sorts this much in memory, too. */
  readerThread: 4096,
  merging: 8192,
  /** Receipts are only appended. */
  receipts: 1024,
} as const
