import type { QueryWord } from '../query/query.ts'
import { matchAny, matchPrefix, matchTerm } from './match-expression.ts'
import { isShort } from './match-finder.ts'

/** What is searched: how many documents, and in how many of each feed an expression matches. Granted data only. */
export interface SearchScope {
  readonly documents: number
  frequencies(expression: string): readonly number[]
}

/** A word of the query, weighed by its rarity in what is searched. */
export interface WeightedWord extends QueryWord {
  /** Other forms of the word begin with this; null where it has none. */
  readonly prefix: string | null
  /** Whether documents with other forms are sought too; otherwise only close forms count, in documents found anyway. */
  readonly seeksForms: boolean
  readonly weight: number
  /** What another form of the word counts, before its closeness is taken into account. */
  readonly prefixWeight: number
  readonly expression: string
  /** The word as it was written, and how many documents of each feed have it so. */
  readonly exact: string
  readonly exactFrequencies: readonly number[]
  /** Documents with the word or one of its forms, per feed. */
  readonly frequencies: readonly number[]
  readonly frequency: number
}

/** Below this share of documents (and in any small store) a word is looked up with its other forms. */
const RARE_SHARE = 0.005
const RARE_COUNT = 50
/** So many documents with the very word are enough; its other forms could be many times as many. */
const ENOUGH_COUNT = 150
/** Letters that more than this share of documents begin a word with belong to many words, not to forms of one. */
const COMMON_SHARE = 0.05
const COMMON_COUNT = 200
const FUNCTION_WORD = 0.25
const STEM_LETTERS = 5
const SHORTEST_STEMMED = 4
const LATIN = /^[a-z]+$/
/** Endings of one letter that a short word may lose and stay the same: "cars", "Hunde", "Namen"; not the t of "tent". */
const DROPPED = /[aeiouy]$|[^s]s$|en$/
const UNINFLECTED: ReadonlySet<string> = new Set(['news', 'lens'])
const HANGUL = /^\p{sc=Hangul}+$/u
const WORD = /^[\p{L}\p{M}]+$/u
const UNSTEMMED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

export function weighWord(word: QueryWord, scope: SearchScope): WeightedWord {
  const exact = word.isPrefix ? matchPrefix(word.term) : matchTerm(word.term)
  const frequencies = scope.frequencies(exact)
  const frequency = sum(frequencies)
  const share = word.content ? 1 : FUNCTION_WORD
  const weight = share * rarity(frequency, scope.documents)
  const asWritten = { ...word, exact, exactFrequencies: frequencies, expression: exact, frequencies, frequency }
  const stem = wordStem(word)
  const isRare = frequency < atLeast(RARE_COUNT, RARE_SHARE, scope)
  // Of a selective word everything is ranked, so a form that was not sought must not count either.
  const plain = { ...asWritten, prefix: isRare ? null : stem, seeksForms: false, weight, prefixWeight: weight }
  if (stem === null || !isRare || frequency >= ENOUGH_COUNT) return plain
  // The index is asked for just the forms that a scan accepts: of a short word the stem itself and what it begins.
  const expression =
    isShort(word.term) && stem !== word.term ? matchAny([matchTerm(stem), matchPrefix(word.term)]) : matchPrefix(stem)
  // Frequencies may be estimates; that of all forms is still at least that of the one.
  const all = scope.frequencies(expression).map((count, feed) => Math.max(count, frequencies[feed]!))
  const total = sum(all)
  if (frequency > 0 && total > atLeast(COMMON_COUNT, COMMON_SHARE, scope)) return plain
  const prefixWeight = share * rarity(total, scope.documents)
  const forms = {
    ...plain,
    prefix: stem,
    seeksForms: true,
    prefixWeight,
    expression,
    frequencies: all,
    frequency: total,
  }
  // A word that nobody wrote in this form is as rare as its other forms together, no rarer.
  return frequency === 0 ? { ...forms, weight: prefixWeight } : forms
}

/** The letters that the forms of a word share, in any language that inflects at the end. */
function wordStem({ term, isPrefix, isExact }: QueryWord): string | null {
  if (isPrefix || isExact || !WORD.test(term) || UNSTEMMED.test(term)) return null
  const letters = [...term]
  if (HANGUL.test(term)) return letters.slice(0, Math.max(2, letters.length - 2)).join('')
  if (letters.length < SHORTEST_STEMMED) return null
  if (isShort(term) && LATIN.test(term) && (!DROPPED.test(term) || UNINFLECTED.has(term))) return term
  return letters.slice(0, Math.min(STEM_LETTERS, letters.length - 1)).join('')
}

const atLeast = (count: number, share: number, { documents }: SearchScope) => Math.max(count, documents * share)

/** Inverse document frequency; never negative, so that a further word never lowers a document. */
export function rarity(frequency: number, documents: number): number {
  return Math.log(1 + Math.max(0, documents - frequency + 0.5) / (frequency + 0.5))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
