import type { QueryWord } from '../query/query.ts'

/** A term that stands for a word of the query, and how close it is: 1 for the word itself. */
export interface WordForm {
  readonly term: string
  readonly closeness: number
}

/** Forms at least this close, such as "prisms" or "quoted", always count. Others count for rare words only. */
export const CLOSE_FORM = 0.75
/** Anything less close is another word, perhaps on the same topic. */
export const SAME_WORD = 0.5
const OTHER_WORD = 0.4
const SHORT_LETTERS = 6
const STEM_LETTERS = 5
const MIN_STEMMED = 4
const LATIN = /^[a-z]+$/
/** Endings that form another word: "university" is not "universal", and "organ" is not "organization". */
const DERIVED = /(?:al|ally|ity|ities|i[sz]ation|ations?|ists?|isms?|ic|ics|ical|ous|ive|ment|ments|ful|less)$/
/** Endings that a short word may lose and stay the same: "cars", "Hunde", "Namen"; not the t of "tent". */
const DROPPED = /[aeiouy]$|[^s]s$|en$/
const UNINFLECTED: ReadonlySet<string> = new Set(['news', 'lens'])
const HANGUL = /^\p{sc=Hangul}+$/u
const WORD = /^[\p{L}\p{M}]+$/u
const UNSTEMMED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

const isShort = (word: string): boolean => word.length < SHORT_LETTERS

/** The letters that the forms of a word begin with, in any language that inflects at the end; null if it has none. */
export function wordStem({ term, isPrefix, isExact }: QueryWord): string | null {
  if (isPrefix || isExact || !WORD.test(term) || UNSTEMMED.test(term)) return null
  const letters = [...term]
  if (HANGUL.test(term)) return letters.slice(0, Math.max(2, letters.length - 2)).join('')
  if (letters.length < MIN_STEMMED) return null
  if (isShort(term) && LATIN.test(term) && (!DROPPED.test(term) || UNINFLECTED.has(term))) return term
  return letters.slice(0, Math.min(STEM_LETTERS, letters.length - 1)).join('')
}

/** How close a term is to a word, of which it has the stem; 0 if it is no form of it. */
export function closenessOf(term: string, word: string, stem: string): number {
  if (term === word) return 1
  if (!term.startsWith(stem)) return 0
  let shared = stem.length
  while (shared < term.length && term[shared] === word[shared]) shared++
  // Short words need more: "car" and "cars" match each other, but "care" does not match "cars".
  if (isShort(word) && shared < Math.min(term.length, word.length)) return 0
  const closeness = shared / Math.max(term.length, word.length)
  if (DERIVED.test(term.slice(shared)) || DERIVED.test(word.slice(shared))) return Math.min(closeness, OTHER_WORD)
  return closeness
}

/** The forms of a word among the terms of an index, the word itself first, then the closest. */
export function formsOf(word: QueryWord, isRare: boolean, termsFrom: (prefix: string) => Iterable<string>): WordForm[] {
  const self = { term: word.term, closeness: 1 }
  if (word.isPrefix) return [self, ...others(word, termsFrom(word.term)).map((term) => ({ term, closeness: 1 }))]
  const stem = wordStem(word)
  if (stem === null) return [self]
  const forms = others(word, termsFrom(stem))
    .map((term) => ({ term, closeness: closenessOf(term, word.term, stem) }))
    .filter(({ closeness }) => closeness >= CLOSE_FORM || (isRare && closeness > 0))
  return [self, ...forms.sort((a, b) => b.closeness - a.closeness || (a.term < b.term ? -1 : 1))]
}

const others = ({ term }: QueryWord, terms: Iterable<string>): string[] => [...terms].filter((other) => other !== term)
