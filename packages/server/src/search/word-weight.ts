import { matchPrefix, matchTerm } from './match-expression.ts'
import type { QueryWord } from './query.ts'

/** What is searched: how many documents, and in how many of each feed an expression matches. Granted data only. */
export interface SearchScope {
  readonly documents: number
  frequencies(expression: string): readonly number[]
}

/** A word of the query, weighed by its rarity in what is searched. */
export interface WeightedWord extends QueryWord {
  /** Other forms of the word begin with this; null where the word itself is common enough. */
  readonly prefix: string | null
  readonly weight: number
  /** What another form of the word counts, before its closeness is taken into account. */
  readonly prefixWeight: number
  readonly expression: string
  /** Documents with the word or one of its forms, per feed. */
  readonly frequencies: readonly number[]
  readonly frequency: number
}

/** Below this share of documents (and in any small store) a word is looked up with its other forms. */
const RARE_SHARE = 0.005
const RARE_COUNT = 50
const FUNCTION_WORD = 0.25
const HANGUL = /^\p{sc=Hangul}+$/u
const WORD = /^[\p{L}\p{M}]+$/u
const UNSTEMMED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

export function weighWord(word: QueryWord, scope: SearchScope): WeightedWord {
  const exact = word.isPrefix ? matchPrefix(word.term) : matchTerm(word.term)
  const frequencies = scope.frequencies(exact)
  const frequency = sum(frequencies)
  const prefix = frequency < Math.max(RARE_COUNT, scope.documents * RARE_SHARE) ? wordStem(word) : null
  const share = word.content ? 1 : FUNCTION_WORD
  if (prefix === null) {
    const weight = share * rarity(frequency, scope.documents)
    return { ...word, prefix, weight, prefixWeight: 0, expression: exact, frequencies, frequency }
  }
  const expression = matchPrefix(prefix)
  const all = scope.frequencies(expression)
  const prefixWeight = share * rarity(sum(all), scope.documents)
  // A word that nobody wrote in this form is as rare as its other forms together, no rarer.
  const weight = frequency === 0 ? prefixWeight : share * rarity(frequency, scope.documents)
  return { ...word, prefix, weight, prefixWeight, expression, frequencies: all, frequency: sum(all) }
}

/** The letters that the forms of a word share, in any language that inflects at the end. */
export function wordStem({ term, isPrefix, isExact }: QueryWord): string | null {
  if (isPrefix || isExact || !WORD.test(term) || UNSTEMMED.test(term)) return null
  const letters = [...term]
  if (HANGUL.test(term)) return letters.slice(0, Math.max(2, letters.length - 2)).join('')
  if (letters.length >= 6) return letters.slice(0, 5).join('')
  return null
}

/** Inverse document frequency; never negative, so that a further word never lowers a document. */
export function rarity(frequency: number, documents: number): number {
  return Math.log(1 + Math.max(0, documents - frequency + 0.5) / (frequency + 0.5))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
