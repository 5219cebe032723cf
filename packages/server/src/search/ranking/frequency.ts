/** How many of the newest matches are looked at to tell how frequent an expression is. */
export const FREQUENCY_SAMPLE = 32

/**
 * How many documents of a feed match, told from its newest matches: exact where the sample holds them all, otherwise
 * carried on at the same density down to the oldest id. Counting a common word in full would cost more than the search.
 */
export function estimateFrequency(
  newestIds: readonly number[],
  feed: { readonly documents: number; readonly oldestId: number; readonly newestId: number },
  sample = FREQUENCY_SAMPLE,
): number {
  if (newestIds.length < sample) return newestIds.length
  const read = feed.newestId - newestIds.at(-1)! + 1
  const span = feed.newestId - feed.oldestId + 1
  return Math.min(feed.documents, Math.max(newestIds.length, Math.round((newestIds.length * span) / Math.max(1, read))))
}

/** Where so many documents are searched, and a word is in this share of the larger half of them, it is common. */
const MANY = 50_000
const COMMON_SHARE = 0.02

/**
 * How many documents of each feed match. The largest feeds are asked first; what is common in most of a large store
 * is taken to be as common in the rest of it, because only its weight depends on that, and hardly.
 */
export function askLargestFirst(documents: readonly number[], ask: (feed: number) => number): number[] {
  const total = documents.reduce((sum, count) => sum + count, 0)
  const counts = documents.map(() => 0)
  let [read, met] = [0, 0]
  for (const feed of [...documents.keys()].sort((a, b) => documents[b]! - documents[a]!)) {
    const isCommon = total > MANY && read > total / 2 && met > read * COMMON_SHARE
    counts[feed] = isCommon ? Math.ceil((met / read) * documents[feed]!) : ask(feed)
    if (isCommon) continue
    read += documents[feed]!
    met += counts[feed]!
  }
  return counts
}
