import type { RequestSignal } from '../../../lib/request-signal.ts'
import type { Query } from '../../../search/query/query.ts'
import { matchAny } from '../../../search/ranking/match-expression.ts'
import type { WeightedWord } from '../../../search/ranking/word-weight.ts'
import { MAX_COUNTED, type SearchOutcome } from '../../../search/search-store.ts'
import type { SearchedFeed } from './searched-feed.ts'

interface Counting {
  readonly query: Query
  readonly words: readonly WeightedWord[]
  readonly feeds: readonly SearchedFeed[]
  /** Whether the request asked for the total. */
  readonly counted: boolean
  readonly signal: RequestSignal | undefined
}

/** If fewer records have all words, the answer says how many have each word. */
const FEW_WITH_ALL_WORDS = 3

/** The counts in an answer. They are exact up to a limit and not counted beyond it. */
export async function countFound(
  { found, complete }: Pick<SearchOutcome, 'found' | 'complete'>,
  { query, words, feeds, counted, signal }: Counting,
): Promise<Pick<SearchOutcome, 'matches' | 'wordCounts'>> {
  const upTo = async (count: (feed: SearchedFeed, max: number) => number) => {
    let sum = 0
    for (const feed of feeds) {
      await signal?.yieldIfDue()
      if (sum <= MAX_COUNTED) sum += count(feed, MAX_COUNTED + 1 - sum)
    }
    return sum
  }
  const total = async () => {
    // A complete ranking has every match.
    if (complete) return found.length
    const [meant, any] = matching(query, words)
    const matches = await upTo((feed, max) => feed.count(meant, max))
    return matches >= found.length ? matches : upTo((feed, max) => feed.count(any, max))
  }
  const matches = counted ? await total() : undefined
  if (found.filter(({ tier }) => tier > 0).length >= FEW_WITH_ALL_WORDS) return { matches, wordCounts: undefined }
  const wordCounts = []
  for (const { term, exact } of words.filter(({ content }) => content))
    wordCounts.push({ word: term, records: await upTo((feed, max) => feed.countWord(exact, max)) })
  return { matches, wordCounts }
}

/**
 * The expression a record must match: required phrases and fields, or else a content word. If fewer records match than
 * were found, the search also found records with any word, so all of those count.
 */
export function matching(
  { phrases, fieldTerms }: Query,
  words: readonly WeightedWord[],
): [meant: string | null, any: string | null] {
  if (phrases.length + fieldTerms.length > 0 || words.length === 0) return [null, null]
  const content = words.filter((word) => word.content)
  const anyOf = (sought: readonly WeightedWord[]) => matchAny(sought.map(({ expression }) => expression))
  return [anyOf(content.length > 0 ? content : words), anyOf(words)]
}
