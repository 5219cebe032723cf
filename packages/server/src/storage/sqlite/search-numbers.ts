import type { Caller } from '../../lib/caller.ts'
import { matchAny } from '../../search/match-expression.ts'
import type { Query } from '../../search/query.ts'
import { MAX_COUNTED, type SearchOutcome } from '../../search/search-store.ts'
import type { WeightedWord } from '../../search/word-weight.ts'
import type { SearchedFeed } from './searched-feed.ts'

interface Counting {
  readonly query: Query
  readonly words: readonly WeightedWord[]
  readonly feeds: readonly SearchedFeed[]
  /** Whether the total was asked for. */
  readonly counted: boolean
  readonly caller: Caller | undefined
}

/** With fewer records that have all words, it is told how many have each. */
const FEW = 3

/** The numbers that an answer shows: exact, and each counted no further than it is shown. */
export async function countFound(
  { found, complete }: Pick<SearchOutcome, 'found' | 'complete'>,
  { query, words, feeds, counted, caller }: Counting,
): Promise<Pick<SearchOutcome, 'matches' | 'wordCounts'>> {
  const upTo = async (count: (feed: SearchedFeed, most: number) => number) => {
    let sum = 0
    for (const feed of feeds) {
      await caller?.pause()
      if (sum <= MAX_COUNTED) sum += count(feed, MAX_COUNTED + 1 - sum)
    }
    return sum
  }
  const asked = matching(query, words)
  // What was ranked completely is counted already.
  const total = async () => (complete ? found.length : upTo((feed, most) => feed.count(asked, most)))
  const matches = counted ? await total() : undefined
  if (found.filter(({ tier }) => tier > 0).length >= FEW) return { matches, wordCounts: undefined }
  const wordCounts = []
  for (const { term, exact } of words.filter(({ content }) => content))
    wordCounts.push({ word: term, records: await upTo((feed, most) => feed.countWord(exact, most)) })
  return { matches, wordCounts }
}

/** What a record must have to match: what the query demands, or else a word that carries meaning, where one does. */
export function matching({ phrases, fieldTerms }: Query, words: readonly WeightedWord[]): string | null {
  if (phrases.length + fieldTerms.length > 0) return null
  const content = words.filter((word) => word.content)
  const sought = content.length > 0 ? content : words
  return sought.length === 0 ? null : matchAny(sought.map(({ expression }) => expression))
}
