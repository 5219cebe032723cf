/** How many of the newest matches are looked at to tell how frequent an expression is. */
export const FREQUENCY_SAMPLE = 100

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
