import { type Token, tokenize } from '../analysis/analyser.ts'
import { isAskingWord, isFunctionWord } from '../analysis/function-words.ts'
import { UNSPACED } from '../analysis/unspaced-scripts.ts'

export interface QueryWord {
  readonly term: string
  /** False for words that shape a sentence; they count for less. */
  readonly content: boolean
  /** A single Han character: it stands for every term that begins with it. */
  readonly isPrefix: boolean
  /** Quoted: no other form of the word will do. */
  readonly isExact: boolean
}

/** Terms that stand side by side, in one field where it names one. */
export interface QueryPhrase {
  readonly terms: readonly string[]
  readonly isPrefix: boolean
  readonly field: string | null
}

export interface Query {
  readonly words: readonly QueryWord[]
  /** Quoted: a document must have them. */
  readonly phrases: readonly QueryPhrase[]
  /** `-word`, `-"a phrase"`, `-field:word`: a document must not have them. */
  readonly exclusions: readonly QueryPhrase[]
  /** `field:word`: a document must have them in that field. */
  readonly fieldTerms: readonly QueryPhrase[]
  /** Written as one (`gull-3`, `anna@example.com`, `v2.1`): their words count singly too, best side by side. */
  readonly compounds: readonly QueryPhrase[]
  /** More was typed than counts. */
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

/** Reads what a person or an agent typed. Every text is a query: what is not understood as an operator is words. */
export function parseQuery(text: string, fields: readonly string[] = []): Query {
  const words = new Map<string, QueryWord>()
  const [phrases, exclusions, fieldTerms, compounds]: QueryPhrase[][] = [[], [], [], []]
  let isCut = text.length > QUERY_UNITS
  const demand = (list: QueryPhrase[], source: string, field: string | null) => {
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
    if (minus && !rest.startsWith('-')) demand(exclusions!, field ? rest : chunk, field)
    else if (field) demand(fieldTerms!, rest, field)
    else if (quoted === undefined) plain(chunk)
    else {
      if (name !== undefined) plain(name)
      demand(phrases!, quoted, null)
    }
  }
  const hasAim = words.size + phrases!.length + fieldTerms!.length > 0
  // Nothing but exclusions is a text that begins with a dash ("-5"), not a wish to see everything else.
  if (!hasAim) for (const { terms } of exclusions!.splice(0)) for (const term of terms) plain(term)
  return {
    words: bounded(asSentence([...words.values()])),
    phrases: phrases!,
    exclusions: exclusions!,
    fieldTerms: fieldTerms!,
    compounds: compounds!,
    isCut: isCut || words.size > MAX_WORDS,
  }
}

/** What stands before colons: the names of fields, where there are such search fields. */
export function namesIn(text: string): string[] {
  return [...text.slice(0, QUERY_UNITS).matchAll(CHUNK)].flatMap(([, , name]) => (name === undefined ? [] : [name]))
}

/** Everything that a document is ranked by and shown for: the words, and the terms of what the query demands. */
export function soughtWords({ words, phrases, fieldTerms }: Query): QueryWord[] {
  const sought = new Map(words.map((word) => [word.term, word]))
  for (const { terms, isPrefix } of [...phrases, ...fieldTerms]) {
    for (const [index, term] of terms.entries()) {
      const word = { term, content: true, isPrefix: isPrefix && index === terms.length - 1, isExact: true }
      if (!sought.has(term)) sought.set(term, word)
    }
  }
  return [...sought.values()]
}

/** The terms of a text as a phrase, or nothing where it has none. */
function phraseOf(text: string, field: string | null = null): QueryPhrase | undefined {
  const tokens = tokenize(text)
  const last = tokens.length - 1
  if (last < 0) return
  const terms = tokens.map(({ term }) => term)
  if (isTail(tokens, last)) return { terms: terms.slice(0, -1), isPrefix: false, field }
  return { terms, isPrefix: isHanCharacter(terms[last]!), field }
}

function add(list: QueryPhrase[], text: string, field: string | null, least = 1): void {
  const phrase = phraseOf(text, field)
  if (phrase && phrase.terms.length >= least && list.length < MAX_OTHERS) list.push(phrase)
}

function wordsOf(text: string): QueryWord[] {
  const tokens = tokenize(text)
  return tokens
    .filter((_, index) => !isTail(tokens, index))
    .map(({ term }) => ({ term, content: !isFunctionWord(term), isPrefix: isHanCharacter(term), isExact: false }))
}

/** In a sentence, the words of asking say as little as those that shape it. */
function asSentence(words: readonly QueryWord[]): readonly QueryWord[] {
  if (!words.some(({ term }) => isFunctionWord(term))) return words
  return words.map((word) => (isAskingWord(word.term) ? { ...word, content: false } : word))
}

/** The last character of a Han run, which the index holds beside the pairs. In a query the pairs say enough. */
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

/** A pasted page is cut to its first words, those of content before the others. */
function bounded(words: readonly QueryWord[]): QueryWord[] {
  if (words.length <= MAX_WORDS) return [...words]
  return [...words].sort((a, b) => Number(b.content) - Number(a.content)).slice(0, MAX_WORDS)
}
