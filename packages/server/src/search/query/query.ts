import { type Token, tokenize } from '../analysis/analyser.ts'
import { UNSPACED } from '../analysis/unspaced-scripts.ts'
import { type NamedTime, namedTimes } from './named-times.ts'
import { isAskingWord, isFunctionWord, withCurrencies } from './question-words.ts'

export interface QueryWord {
  readonly term: string
  /** False for words that only build the sentence. They count less. */
  readonly content: boolean
  /** A single Han character. It matches every term that begins with it. */
  readonly isPrefix: boolean
  /** The word was quoted, so its other forms do not match. */
  readonly isExact: boolean
  /** The pairs of this word with the previous and the next word of content. A record may have a pair as one word. */
  readonly pairs?: readonly (readonly [string, string])[] | undefined
  /** True for a currency that nobody typed: the question asks for an amount of money. */
  readonly isImplied?: boolean | undefined
}

/** Adjacent terms, limited to one field if `field` is set. */
export interface QueryPhrase {
  readonly terms: readonly string[]
  readonly isPrefix: boolean
  readonly field: string | null
}

export interface Query {
  readonly words: readonly QueryWord[]
  /** Quoted phrases that a document must contain. */
  readonly phrases: readonly QueryPhrase[]
  /** `-word`, `-"a phrase"`, `-field:word`: the document must not contain them. */
  readonly exclusions: readonly QueryPhrase[]
  /** `field:word`: the document must contain them in that field. */
  readonly fieldTerms: readonly QueryPhrase[]
  /**
   * Words joined by punctuation (`gull-3`, `anna@example.com`, `v2.1`). Their parts also count separately, but rank
   * best when adjacent.
   */
  readonly compounds: readonly QueryPhrase[]
  /** The months, days and years that the text names. Records of these times rank higher. */
  readonly times: readonly NamedTime[]
  /** True if the query was longer than the limits and was cut. */
  readonly isCut: boolean
}

const QUERY_UNITS = 4096
const MAX_WORDS = 48
const MAX_OTHERS = 12
const QUOTES = '"“”„«»'
const CHUNK = new RegExp(
  `(-?)(?:([^\\s${QUOTES}:]+):)?(?:[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]|([^\\s${QUOTES}]+))`,
  'gu',
)
const COMPOUND = /^\P{L}*?[\p{L}\p{N}\p{M}]+(?:[-._@/:,+&#]+[\p{L}\p{N}\p{M}]+)+[^\p{L}\p{N}]*$/u

/**
 * Parses a query. Every text is valid: anything that is not an operator is read as words. If the request itself limits
 * the time, words that name a time are dropped, unless there are no other words.
 */
export function parseQuery(text: string, fields: readonly string[] = [], isTimeGiven = false): Query {
  const words = new Map<string, QueryWord>()
  const [phrases, exclusions, fieldTerms, compounds]: QueryPhrase[][] = [[], [], [], []]
  let isCut = text.length > QUERY_UNITS
  const addRequired = (list: QueryPhrase[], source: string, field: string | null) => {
    if (list.length === MAX_OTHERS) isCut = true
    else add(list, source, field)
  }
  const plain = (source: string) => {
    for (const word of wordsOf(source)) words.set(word.term, word)
    if (COMPOUND.test(source) && !UNSPACED.test(source)) add(compounds!, source, null, 2)
  }
  for (const [chunk, minus, name, quoted, bare] of text.slice(0, QUERY_UNITS).matchAll(CHUNK)) {
    const field = name === undefined ? null : fieldNamed(name, fields)
    const rest = quoted ?? bare ?? ''
    if (minus && !rest.startsWith('-')) addRequired(exclusions!, field ? rest : chunk, field)
    else if (field) addRequired(fieldTerms!, rest, field)
    else if (quoted === undefined) plain(chunk)
    else {
      if (name !== undefined) plain(name)
      addRequired(phrases!, quoted, null)
    }
  }
  const hasContent = words.size + phrases!.length + fieldTerms!.length > 0
  // A query of exclusions only is a text that begins with a dash ("-5"), not a request for everything else.
  if (!hasContent) for (const { terms } of exclusions!.splice(0)) for (const term of terms) plain(term)
  const named = namedTimes([...words.keys()].length === 0 ? '' : text.slice(0, QUERY_UNITS))
  const all = withPairs(asSentence([...words.values()]))
  const hasOthers =
    phrases!.length + fieldTerms!.length > 0 || all.some(({ term, content }) => content && !named.terms.has(term))
  return {
    words: bounded(withCurrencies(hasOthers ? withoutTimes(all, named.terms, isTimeGiven) : all)),
    phrases: phrases!,
    exclusions: exclusions!,
    fieldTerms: fieldTerms!,
    compounds: compounds!,
    times: isTimeGiven ? [] : named.times,
    isCut: isCut || words.size > MAX_WORDS,
  }
}

/** True if the query has words that only build a sentence next to words of content. */
export const isSentence = ({ words }: Query): boolean =>
  words.some(({ content, isImplied }) => !content && !isImplied) && words.some(({ content }) => content)

/** Returns the texts before colons, which may be names of search fields. */
export function namesIn(text: string): string[] {
  if (!text.includes(':')) return []
  return [...text.slice(0, QUERY_UNITS).matchAll(CHUNK)].flatMap(([, , name]) => (name === undefined ? [] : [name]))
}

/**
 * Returns all words that documents are ranked and highlighted by: the plain words and the terms of phrases and field
 * terms.
 */
export function soughtWords({ words, phrases, fieldTerms }: Query): QueryWord[] {
  const byTerm = new Map(words.map((word) => [word.term, word]))
  for (const { terms, isPrefix } of [...phrases, ...fieldTerms]) {
    for (const [index, term] of terms.entries()) {
      const word = { term, content: true, isPrefix: isPrefix && index === terms.length - 1, isExact: true }
      if (!byTerm.has(term)) byTerm.set(term, word)
    }
  }
  return [...byTerm.values()]
}

function phraseOf(text: string, field: string | null = null): QueryPhrase | undefined {
  const tokens = tokenize(text)
  const last = tokens.length - 1
  if (last < 0) return
  const terms = tokens.map(({ term }) => term)
  if (isTail(tokens, last)) return { terms: terms.slice(0, -1), isPrefix: false, field }
  return { terms, isPrefix: isHanCharacter(terms[last]!), field }
}

function add(list: QueryPhrase[], text: string, field: string | null, minTerms = 1): void {
  const phrase = phraseOf(text, field)
  if (phrase && phrase.terms.length >= minTerms && list.length < MAX_OTHERS) list.push(phrase)
}

function wordsOf(text: string): QueryWord[] {
  const tokens = tokenize(text)
  return tokens
    .filter((_, index) => !isTail(tokens, index))
    .map(({ term }) => ({ term, content: !isFunctionWord(term), isPrefix: isHanCharacter(term), isExact: false }))
}

const JOINABLE = /^[a-z]{3,}$/

/**
 * Adds pairs, because two words of content in a row may be one word in a record: "start number" and "Startnummer".
 * Words that only build the sentence may be between them: "Which book did the club read" and "bookclub".
 */
function withPairs(words: readonly QueryWord[]): readonly QueryWord[] {
  const content = words.filter((word) => word.content)
  const pairs = content.slice(1).map((second, at): [string, string] | undefined => {
    const isPair = [content[at]!, second].every(({ term }) => JOINABLE.test(term))
    return isPair ? [content[at]!.term, second.term] : undefined
  })
  return words.map((word) => {
    const at = content.indexOf(word)
    if (at < 0) return word
    const own = [pairs[at - 1], pairs[at]].filter((pair) => pair !== undefined)
    return own.length > 0 ? { ...word, pairs: own } : word
  })
}

/** In a sentence, verbs of asking count as little as function words. */
function asSentence(words: readonly QueryWord[]): readonly QueryWord[] {
  if (!words.some(({ term }) => isFunctionWord(term))) return words
  return words.map((word) => (isAskingWord(word.term) ? { ...word, content: false } : word))
}

/**
 * Lets words that name a time count little as words, because the time of a record is better evidence. Only for queries
 * that also ask for something else.
 */
function withoutTimes(words: readonly QueryWord[], terms: ReadonlySet<string>, isTimeGiven: boolean) {
  if (isTimeGiven) return words.filter(({ term }) => !terms.has(term))
  return words.map((word) => (terms.has(word.term) ? { ...word, content: false } : word))
}

/**
 * True for the last character of a Han run, which the index stores in addition to the pairs. A query only needs the
 * pairs.
 */
function isTail(tokens: readonly Token[], index: number): boolean {
  const [before, token] = [tokens[index - 1], tokens[index]!]
  return before !== undefined && before.end === token.end && before.start < token.start
}

const isHanCharacter = (term: string): boolean =>
  UNSPACED.test(term) && /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u.test(term)

export function fieldNamed(name: string, fields: readonly string[]): string | null {
  const lower = name.toLowerCase()
  return fields.find((field) => field === name) ?? fields.find((field) => field.toLowerCase() === lower) ?? null
}

/** Keeps the first words of a very long query, content words first. */
function bounded(words: readonly QueryWord[]): QueryWord[] {
  if (words.length <= MAX_WORDS) return [...words]
  return [...words].sort((a, b) => Number(b.content) - Number(a.content)).slice(0, MAX_WORDS)
}
