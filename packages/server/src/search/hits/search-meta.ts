import { isoTime, type Warning } from '@pdpp/protocol'
import type { SearchRequest } from '../query/search-targets.ts'
import { MAX_COUNTED, type SearchedStream, type SearchOutcome } from '../search-store.ts'

/** The parts of a request that limit the records, regardless of the query words. */
type Limits = Pick<SearchRequest, 'filters' | 'since' | 'until'>

/** Facts about the search as a whole: how much was ranked, how fresh the index is, and why nothing was found. */
export function searchMeta(
  outcome: SearchOutcome,
  targets: readonly SearchedStream[],
  request: Limits,
  warnings: readonly Warning[],
) {
  const { found, total, feeds, building, indexedThrough, words, wordCounts, longFields } = outcome
  return {
    recall: {
      complete: building === 0 && longFields.length === 0,
      ranking_scope: 'all_matches',
      truncated: false,
      ranked_candidate_count: total,
      sources_searched_count: feeds - building,
    },
    index: {
      state: building > 0 ? 'building' : 'current',
      indexed_through: indexedThrough === undefined ? null : isoTime(indexedThrough),
    },
    ...(wordCounts ? { words: wordCounts.map((count) => wireWord(count, words)) } : {}),
    ...(total === 0 && found.length === 0 ? { explanation: explain(outcome, targets, request, warnings) } : {}),
  }
}

/**
 * Number of records that match a word, so that an agent knows which words to drop. For a word that no record has, adds
 * the nearest words that some records have.
 */
function wireWord({ word, records }: WordCount, words: SearchOutcome['words']) {
  const nearest = records > 0 ? [] : (words.find(({ term }) => term === word)?.nearest ?? [])
  const forms = nearest.map((form) => wireCount({ word: form.term, records: form.records }))
  return { ...wireCount({ word, records }), ...(forms.length > 0 ? { nearest: forms } : {}) }
}

interface WordCount {
  readonly word: string
  readonly records: number
}

/** Above the limit only the limit is reported. */
const wireCount = ({ word, records }: WordCount) =>
  records > MAX_COUNTED ? { word, records: MAX_COUNTED, over: true } : { word, records }

function explain(
  { building, words, wordCounts = [], longFields }: SearchOutcome,
  targets: readonly SearchedStream[],
  request: Limits,
  warnings: readonly Warning[],
) {
  const { filters, since, until } = request
  if (targets.length === 0 && warnings.some(({ code }) => code === 'source_skipped_not_applicable')) {
    return {
      reason: 'no_time',
      message: 'since and until need a time, and none of the streams in reach has one.',
    }
  }
  if (targets.length === 0) {
    return { reason: 'not_granted', message: 'None of the streams in reach has a search field that you can read.' }
  }
  if (building > 0) return { reason: 'not_indexed', message: 'The word index is still being built; try again shortly.' }
  if (words.length === 0) return { reason: 'no_words', message: 'The query has no words to look for.' }
  const reach =
    filters.length > 0 || (since ?? until) !== undefined ? 'that the filter and the times leave' : 'in reach'
  if (wordCounts.some(({ records }) => records > 0)) {
    const message = `Records ${reach} have words of the query, but none has everything it asks for: leave out quotes, field names or exclusions.`
    return { reason: 'no_match', message }
  }
  const where = longFields.length === 0 ? '' : ' in the text that is searched'
  return { reason: 'no_match', message: `No record ${reach} has any of these words${where}.` }
}
