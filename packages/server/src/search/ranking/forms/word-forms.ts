import type { QueryWord } from '../../query/query.ts'
import { LEVERS } from '../levers.ts'
import { arabicForms } from './arabic-forms.ts'
import { englishStem, irregularForms } from './english-forms.ts'
import { sameUnit } from './units.ts'

/** A term that counts as a word of the query, and its closeness: 1 for the word itself, less for other forms. */
export interface WordForm {
  readonly term: string
  readonly closeness: number
}

/**
 * Forms at least this close, such as "prisms" or "quoted", always count. Other forms count only if the word is rare.
 */
const CLOSE_FORM = 0.75
/** A form that is less close is another word, perhaps on the same topic. */
export const SAME_WORD = 0.5
const OTHER_WORD = 0.4
/**
 * Closeness of another form by the rules of English, such as "went" for "go". Less than 1, so that the word itself
 * ranks first.
 */
const INFLECTED = 0.95
/** Min. letters of a beginning by which terms are looked up. */
const MIN_BEGINNING = 3
const SHORT_LETTERS = 6
const STEM_LETTERS = 5
const MIN_STEMMED = 4
const LATIN = /^[a-z]+$/
/** Endings that form another word: "university" is not "universal", and "organ" is not "organization". */
const DERIVED = /(?:al|ally|ity|ities|i[sz]ation|ations?|ists?|isms?|ic|ics|ical|ous|ive|ment|ments|ful|less)$/
/** Endings that a short word may lose and stay the same: "cars", "Hunde", "Namen"; not the t of "tent". */
const DROPPED = /[aeiouy]$|[^s]s$|en$/
/** Endings that a short word may get and stay the same: "tents", but not the t of "paint". */
const ADDED = /^(?:e?s|e?d|ings?|e?n|e?rs?|em|e|a|i|o|y|ly)$/
const UNINFLECTED: ReadonlySet<string> = new Set(['news', 'lens'])
/**
 * Words of set replies, such as "No problem" and "No worries". As forms of another word they find a record, but count
 * less than the word itself in a text of any length.
 */
const REPLY = 0.01
const REPLIES: ReadonlySet<string> = new Set(['problem', 'worry', 'worries', 'thanks', 'welcome'])
/** A short word that loses its last vowel must keep this many letters: "Hunde" is "Hund", "fame" is not "fam". */
const MIN_LEFT = 4
const HANGUL = /^\p{sc=Hangul}+$/u
const WORD = /^[\p{L}\p{M}]+$/u
const UNSTEMMED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

/** Programs show only the beginning of a long id. It has at least this many letters and digits, which change twice. */
const ID_BEGINNING = /^(?=.{7})[a-z]*\d+[a-z]+\d[a-z\d]*$|^(?=.{7})\d*[a-z]+\d+[a-z][a-z\d]*$/
const MIN_ID = 16

const isShort = (word: string): boolean => word.length < SHORT_LETTERS

/**
 * The letters that all forms of a word begin with, in languages that inflect at the end. Null if it has no other forms.
 */
function wordStem({ term, isPrefix, isExact }: QueryWord): string | null {
  if (isPrefix || isExact || !WORD.test(term) || UNSTEMMED.test(term)) return null
  const letters = [...term]
  if (HANGUL.test(term)) return letters.slice(0, Math.max(2, letters.length - 2)).join('')
  if (letters.length < MIN_STEMMED) return null
  if (isShort(term) && LATIN.test(term) && (!DROPPED.test(term) || UNINFLECTED.has(term))) return term
  return letters.slice(0, Math.min(STEM_LETTERS, letters.length - 1)).join('')
}

/**
 * The closeness of a term to a word. 0 if the term is not a form of the word. `stem` is the beginning that all forms
 * share.
 */
function closenessOf(term: string, word: string, stem: string): number {
  if (term === word) return 1
  if (!term.startsWith(stem)) return 0
  let shared = stem.length
  while (shared < term.length && term[shared] === word[shared]) shared++
  // Short words are compared more strictly: "car" and "cars" match each other, but "care" does not match "cars".
  if (isShort(word) && shared < Math.min(term.length, word.length)) return 0
  if (isShort(word) && LATIN.test(word) && shared === term.length && shared < MIN_LEFT) return 0
  const closeness = shared / Math.max(term.length, word.length)
  if (DERIVED.test(term.slice(shared)) || DERIVED.test(word.slice(shared))) return Math.min(closeness, OTHER_WORD)
  if (isShort(word) && LATIN.test(word) && shared === word.length && !ADDED.test(term.slice(shared))) return 0
  return closeness
}

/** The forms of a word among the terms of an index, the word itself first, then the closest. */
export function formsOf(
  word: QueryWord,
  isRare: boolean,
  termsFrom: (prefix: string) => Iterable<string>,
  minJoined = LEVERS.joined,
): WordForm[] {
  const self = { term: word.term, closeness: 1 }
  if (word.isPrefix) return [self, ...others(word, termsFrom(word.term)).map((term) => ({ term, closeness: 1 }))]
  if (word.isExact) return [self]
  const forms = new Map(
    [...irregularForms(word.term), ...sameUnit(word.term), ...arabicForms(word.term)].map((term) => [term, INFLECTED]),
  )
  if (ID_BEGINNING.test(word.term))
    for (const term of termsFrom(word.term)) if (term.length >= MIN_ID) forms.set(term, INFLECTED)
  const stem = wordStem(word)
  const english = LATIN.test(word.term) && !UNINFLECTED.has(word.term) ? englishStem(word.term) : undefined
  const beginning = english === undefined ? stem : commonBeginning(stem ?? english, english)
  for (const term of beginning === null || beginning.length < MIN_BEGINNING ? [] : termsFrom(beginning)) {
    const closeness = stem === null ? 0 : closenessOf(term, word.term, stem)
    const isInflected = english !== undefined && englishStem(term) === english
    const close = isInflected ? Math.max(closeness, INFLECTED) : closeness
    const best = REPLIES.has(term) ? Math.min(close, REPLY) : close
    if (best >= CLOSE_FORM || (isRare && best > 0)) forms.set(term, Math.max(best, forms.get(term) ?? 0))
  }
  for (const pair of word.pairs ?? [])
    for (const { term, closeness } of joinedForms(pair, minJoined, termsFrom))
      forms.set(term, Math.max(closeness, forms.get(term) ?? 0))
  forms.delete(word.term)
  const list = [...forms].map(([term, closeness]) => ({ term, closeness }))
  return [self, ...list.sort((a, b) => b.closeness - a.closeness || (a.term < b.term ? -1 : 1))]
}

/** Terms that are two words of the query in one. They contain the whole first word and at least half of the second. */
function joinedForms(
  [first, second]: readonly [string, string],
  minJoined: number,
  termsFrom: (prefix: string) => Iterable<string>,
): WordForm[] {
  if (minJoined > 1) return []
  const joined = first + second
  const beginning = joined.slice(0, first.length + Math.ceil(second.length / 2))
  return [...termsFrom(beginning)]
    .map((term) => ({
      ...{ term, closeness: commonBeginning(term, joined).length / Math.max(term.length, joined.length) },
    }))
    .filter(({ closeness }) => closeness >= minJoined)
    .map(({ term, closeness }) => ({ term, closeness: Math.min(closeness, INFLECTED) }))
}

function commonBeginning(a: string, b: string): string {
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return a.slice(0, shared)
}

const others = ({ term }: QueryWord, terms: Iterable<string>): string[] => [...terms].filter((other) => other !== term)
