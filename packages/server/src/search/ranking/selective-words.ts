import type { SearchedIndex } from './searched-index.ts'
import type { CandidateLimits } from './tiers.ts'
import type { WeightedWord } from './word-weight.ts'

/** Of a part of the records, a word in this share of them is rare. */
const SELECTIVE = 0.01

/** Whether some records are out of scope. */
export const isPart = (indexes: readonly SearchedIndex[]): boolean => indexes.some((index) => index.isPart)

/**
 * The index knows nothing of limits: all places of a word would be passed over to find those within, however many lie
 * outside. A few documents are read instead, and of more the word must be rare.
 */
function mostOccurrences(indexes: readonly SearchedIndex[], { occurrences, read }: CandidateLimits): number {
  if (!isPart(indexes)) return occurrences
  const documents = indexes.reduce((sum, index) => sum + index.documents, 0)
  return Math.min(occurrences, Math.max(read - 1, documents * SELECTIVE))
}

/**
 * Positions of the rarest words that together stand in few enough documents to look at all of them. Frequencies are
 * told from the newest documents, so a word that was more frequent long ago is counted before it is believed.
 */
export function selectiveWords(
  words: readonly WeightedWord[],
  indexes: readonly SearchedIndex[],
  limits: CandidateLimits,
): number[] {
  const occurrences = mostOccurrences(indexes, limits)
  const known = [...words.keys()].filter((index) => words[index]!.frequency > 0)
  const content = known.filter((index) => words[index]!.content)
  const rarest = (content.length > 0 ? content : known).sort((a, b) => words[a]!.frequency - words[b]!.frequency)
  let total = 0
  return rarest.filter((word) => {
    const { expression, frequency, frequencies } = words[word]!
    if (total + frequency > occurrences) return false
    let room = occurrences - total
    for (const [feed, index] of indexes.entries())
      if (room >= 0 && frequencies[feed]! > 0) room -= index.countUpTo(expression, room + 1)
    if (room >= 0) total = occurrences - room
    return room >= 0
  })
}
