import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import type { OpenScope } from './open-scope.ts'
import { type CountedWord, countTerm } from './weighed-words.ts'

const MAX_NEAREST = 3
const LETTERS = /^[\p{L}\p{M}]+$/u
const MIN_LETTERS = 4
/**
 * A nearest word has at least this many letters at its beginning in common with the query's word, and this share of the
 * longer of the two.
 */
const MIN_SHARED = 3
const MIN_SHARE = 0.5

export interface NearestWord {
  readonly term: string
  readonly records: number
}

/**
 * Suggests words that visible records have, in place of a word that none of them has. Takes the words with the longest
 * common beginning. Skips words of hidden records, however many there are.
 */
export function nearestWords(
  { term, records, content, isPrefix }: CountedWord,
  snapshot: IndexSnapshot,
  scope: OpenScope,
): NearestWord[] {
  if (records > 0 || !content || isPrefix || term.length < MIN_LETTERS || !LETTERS.test(term)) return []
  const beginning = term.slice(0, Math.max(MIN_SHARED, Math.ceil(term.length * MIN_SHARE)))
  const near = [...snapshot.termsFrom(beginning)]
    .map((other) => ({ other, share: sharedLetters(term, other) / Math.max(term.length, other.length) }))
    .filter(({ other, share }) => other !== term && share >= MIN_SHARE && LETTERS.test(other))
    .sort((a, b) => b.share - a.share || (a.other < b.other ? -1 : 1))
  const found: NearestWord[] = []
  for (const { other } of near) {
    const count = countTerm(other, snapshot, scope)
    if (count > 0) found.push({ term: other, records: count })
    if (found.length === MAX_NEAREST) break
  }
  return found
}

function sharedLetters(a: string, b: string): number {
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return shared
}
