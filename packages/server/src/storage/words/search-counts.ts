import { type Query, type QueryWord, soughtWords } from '../../search/query/query.ts'
import type { MatchFilter } from '../../search/ranking/index-scope.ts'
import { nearestWords } from '../../search/ranking/nearest-words.ts'
import type { OpenScope } from '../../search/ranking/open-scope.ts'
import type { RankedPage } from '../../search/ranking/rank-matches.ts'
import { DocumentCounter } from '../../search/ranking/visible-postings.ts'
import type { CountedWord } from '../../search/ranking/weighed-words.ts'
import type { FoundWord, SearchedStream, SearchOutcome } from '../../search/search-store.ts'
import type { IndexSnapshot } from '../../search/segments/index-snapshot.ts'
import type { SearchedFeed } from './searched-feed.ts'

/** How many records each target has. */
export function targetTotals(
  targets: readonly SearchedStream[],
  feeds: readonly SearchedFeed[],
  { totals }: RankedPage,
): number[] {
  const sums = targets.map(() => 0)
  for (const { target, edition } of feeds) sums[target]! += totals.get(edition.edition) ?? 0
  return sums
}

export function foundWord(word: CountedWord, index: IndexSnapshot, scope: OpenScope): FoundWord {
  return { term: word.term, records: word.records, nearest: nearestWords(word, index, scope) }
}

/** True if the request limits the time to search. */
export const limitsTime = ({ scope, conditions }: SearchedStream): boolean =>
  conditions.some(({ field }) => field === scope.stream.consent_time_field)

/** Counts the records that have each word of content as it was typed, whatever else the query demands. */
export function countWords(
  { words }: RankedPage,
  index: IndexSnapshot,
  { parts }: OpenScope,
  filter: MatchFilter | undefined,
): { word: string; records: number }[] {
  return countedWords(words).map(({ term, isPrefix, forms }) => {
    const terms = isPrefix ? forms.map((form) => form.term) : [term]
    let records = 0
    for (const [at, part] of parts.entries()) {
      const counter = new DocumentCounter(part, index.segments[at]!.columns, filter)
      for (const one of terms) {
        const postings = index.postings(one, at)
        if (postings) counter.add(postings)
      }
      records += counter.count
    }
    return { word: term, records }
  })
}

function countedWords<T extends QueryWord>(words: readonly T[]): readonly T[] {
  const content = words.filter((word) => word.content)
  return content.length > 0 ? content : words.filter(({ isImplied }) => !isImplied)
}

/**
 * The result if none of the streams has a document. It is the same as if they have hidden documents only, so that
 * nobody learns whether there are any. While an index is being built, nothing is known about the words.
 */
export function nothingFound(query: Query, targets: readonly SearchedStream[], building: number) {
  const isKnown = targets.length > 0 && building === 0
  const words = isKnown ? soughtWords(query) : []
  return {
    ...{ found: [], hasMore: false, total: 0, totals: targets.map(() => 0), longFields: [], isCut: query.isCut },
    words: words.map(({ term }) => ({ term, records: 0, nearest: [] })),
    wordCounts: isKnown ? countedWords(words).map(({ term }) => ({ word: term, records: 0 })) : undefined,
  } satisfies Partial<SearchOutcome>
}
