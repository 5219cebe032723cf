import type { MatchFilter } from '../../search/ranking/index-scope.ts'
import { nearestWords } from '../../search/ranking/nearest-words.ts'
import type { OpenScope } from '../../search/ranking/open-scope.ts'
import type { RankedPage } from '../../search/ranking/rank-matches.ts'
import { DocumentCounter } from '../../search/ranking/visible-postings.ts'
import type { CountedWord } from '../../search/ranking/weighed-words.ts'
import type { FoundWord, SearchedStream } from '../../search/search-store.ts'
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
  const content = words.filter((word) => word.content)
  return (content.length > 0 ? content : words.filter(({ isImplied }) => !isImplied)).map(
    ({ term, isPrefix, forms }) => {
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
    },
  )
}
