import type { QueryPhrase } from '../query/query.ts'
import { matchAll, matchAny, matchPhrase } from './match-expression.ts'
import type { WeightedWord } from './word-weight.ts'

/** One question to the index. */
export interface CandidateStep {
  readonly kind: 'compound' | 'all' | 'content' | 'most' | 'pair' | 'single' | 'demanded'
  /** Null: no word, only what the query demands anyway (phrases, fields). */
  readonly expression: string | null
  /** Asked only while there are fewer candidates than this. */
  readonly whileFewerThan: number
  /** At most so many matches in each feed; 0 means that the feed need not be asked. */
  readonly expected: readonly number[]
  /** Of several words at once: how long it takes depends on how many documents have the rarest, not on how many match. */
  readonly words: number
}

export interface CandidateLimits {
  /** Candidates in all, and at most so many are ranked. */
  readonly cap: number
  /** So many documents with all words are read to tell which of them are the best. */
  readonly read: number
  /** So many with all, or nearly all, of the words are enough. */
  readonly enough: number
  /** Of the rarest words, all documents are looked at, as long as they stand in no more than so many. */
  readonly occurrences: number
  /** A step for several words looks them up in so many documents, all words taken together. */
  readonly scanned: number
}

export const CANDIDATE_LIMITS: CandidateLimits = {
  cap: 300,
  read: 500,
  enough: 100,
  occurrences: 10_000,
  scanned: 60_000,
}
const MAX_AND_STEPS = 4
const MAX_PAIRS = 5
/** So many of the rarest words stand for all of them: whoever has all the words has these. */
const MAX_ANDED = 5
const MAX_OTHERS = 4

/**
 * The questions to ask, best first: documents with all the words, then with all but the commonest, then with one of
 * the rarest and any other, then with a rare word alone. The rarest word of a step bounds its work, and the commonest
 * words never stand alone.
 */
export function planCandidates(
  words: readonly WeightedWord[],
  /** Set where the query demands phrases or fields: per feed, how many documents have them at most. */
  demanded: readonly number[] | null = null,
  /** What was written as one: documents that have it so come before those that have its words somewhere. */
  compounds: readonly QueryPhrase[] = [],
  { cap, enough }: CandidateLimits = CANDIDATE_LIMITS,
): CandidateStep[] {
  // Quoted words are demanded of every candidate anyway.
  const known = words.filter(({ frequency, isExact }) => frequency > 0 && !isExact).sort((a, b) => b.weight - a.weight)
  // A document with the quoted phrase is a match even where it has none of the other words.
  const rest = demanded ? [step('demanded', null, cap, demanded)] : []
  if (known.length === 0) return rest
  const content = known.filter((word) => word.content)
  const rare = content.length > 0 ? content : known
  const steps: CandidateStep[] = [...asWritten(compounds, rare, enough), ...inTheseForms(rare, enough)]
  steps.push(all('all', known.slice(0, MAX_ANDED), enough))
  if (rare.length < known.length) steps.push(all('content', rare.slice(0, MAX_ANDED), enough))
  for (const size of sizes(Math.min(rare.length, MAX_ANDED))) steps.push(all('most', rare.slice(0, size), enough))
  for (const [index, word] of rare.slice(0, MAX_PAIRS).entries()) {
    const others = rare.slice(index + 1, index + 1 + MAX_OTHERS)
    if (others.length > 0) steps.push(pair(word, others, cap))
  }
  for (const word of rare) {
    if (word.seeksForms) steps.push(step('single', word.exact, cap, word.exactFrequencies))
    steps.push(step('single', word.expression, cap, word.frequencies))
  }
  return [...steps, ...rest]
}

/** The words as they were written come before their other forms, which can be many more. */
function inTheseForms(words: readonly WeightedWord[], enough: number): CandidateStep[] {
  const rarest = words.slice(0, MAX_ANDED)
  if (!rarest.some(({ seeksForms }) => seeksForms)) return []
  const expected = rarest[0]!.exactFrequencies.map((_, feed) =>
    Math.min(...rarest.map(({ exactFrequencies: counts }) => counts[feed]!)),
  )
  return [step('all', matchAll(rarest.map(({ exact }) => exact)), enough, expected, rarest.length)]
}

/** Dates and numbers fall into pieces that are common each by itself; together they are rare. */
function asWritten(compounds: readonly QueryPhrase[], words: readonly WeightedWord[], enough: number): CandidateStep[] {
  if (compounds.length === 0) return []
  const phrases = compounds.map(matchPhrase)
  const parts = words.filter(({ term }) => compounds.some(({ terms }) => terms.includes(term)))
  if (parts.length === 0) return []
  const [whole, expected] = [all('compound', words, enough), all('compound', parts, enough).expected]
  const both = step('compound', matchAll([...phrases, whole.expression!]), enough, whole.expected, whole.words)
  return [both, step('compound', matchAny(phrases), enough, expected, parts.length)]
}

/** Ever fewer of the rarest words, in a few steps however long the question is. */
function sizes(count: number): number[] {
  const list: number[] = []
  for (let size = count - 1; size > 2 && list.length < MAX_AND_STEPS; size = Math.floor(size * 0.75)) list.push(size)
  return list
}

function all(
  kind: 'compound' | 'all' | 'content' | 'most',
  words: readonly WeightedWord[],
  enough: number,
): CandidateStep {
  const expected = words[0]!.frequencies.map((_, feed) => Math.min(...words.map((word) => word.frequencies[feed]!)))
  return step(kind, matchAll(words.map((word) => word.expression)), enough, expected, words.length)
}

function pair(word: WeightedWord, others: readonly WeightedWord[], cap: number): CandidateStep {
  const expected = word.frequencies.map((count, feed) =>
    Math.min(
      count,
      others.reduce((total, other) => total + other.frequencies[feed]!, 0),
    ),
  )
  const expression = matchAll([word.expression, matchAny(others.map((other) => other.expression))])
  return step('pair', expression, cap, expected, 1 + others.length)
}

function step(
  kind: CandidateStep['kind'],
  expression: string | null,
  whileFewerThan: number,
  expected: readonly number[],
  words = 1,
): CandidateStep {
  return { kind, expression, whileFewerThan, expected, words }
}
