import { isAscii, LETTERS, TERM_UNITS } from './ascii.ts'
import { wordTerms } from './fold.ts'
import { eachId, idEnd, idTerm, JOINTS } from './ids.ts'
import { bigrams, dictionaryWords, SCRIPT_RUN, UNSPACED } from './unspaced-scripts.ts'

/** A term and its position in the source text, in UTF-16 units. `end` is exclusive. */
export interface Token {
  readonly term: string
  readonly start: number
  readonly end: number
}

export type Emit = (term: string, start: number, end: number) => void

/**
 * The version of the terms and their places. Raise it if a text gives others than before: indexes of an older version
 * are then built again after the start.
 */
export const ANALYSER = 3

/** Max. UTF-16 units of a field that are searchable. */
export const INDEXED_UNITS = 1024 * 1024

// Joiners and soft hyphens are invisible parts of a word. Each emoji is a word.
const WORD = /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}\u00ad\u200c-\u200d\u2060]*|\p{Extended_Pictographic}/gu

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  eachToken(text, (term, start, end) => tokens.push({ term, start, end }))
  return tokens
}

/** Calls back for every term of a text, in order. Records and queries use the same terms. */
export function eachToken(text: string, emit: Emit): void {
  if (isAscii(text)) eachAsciiToken(text, emit)
  else eachUnicodeToken(text, emit)
}

function eachAsciiToken(text: string, emit: Emit): void {
  const lower = text.toLowerCase()
  // The length of the lowered text, because V8 may otherwise lower the whole text again for each of its words: it moves
  // work without side effects to the place where the result is needed.
  const { length } = lower
  for (let at = 0; at < length; at++) {
    if (LETTERS[text.charCodeAt(at)] === 0) continue
    const start = at
    while (LETTERS[text.charCodeAt(++at)]);
    const end = JOINTS[text.charCodeAt(at)] === 1 ? idEnd(text, start, at) : 0
    if (end === 0) emit(lower.slice(start, Math.min(at, start + TERM_UNITS)), start, at)
    else {
      emit(idTerm(text, start, end), start, end)
      at = end
    }
  }
}

function eachUnicodeToken(text: string, emit: Emit): void {
  let from = 0
  eachId(text, (start, end) => {
    eachWord(text, from, start, emit)
    emit(idTerm(text, start, end), start, end)
    from = end
  })
  eachWord(text, from, text.length, emit)
}

/** A word is cut where an id begins, because scripts without spaces write the next word right after it. */
function eachWord(text: string, start: number, end: number, emit: Emit): void {
  let from = start
  while (from < end) {
    WORD.lastIndex = from
    const found = WORD.exec(text)
    if (!found || found.index >= end) return
    const [whole] = found
    const word = found.index + whole.length > end ? whole.slice(0, end - found.index) : whole
    if (UNSPACED.test(word)) eachRun(word, found.index, emit)
    else emitTerms(word, found.index, emit)
    from = found.index + word.length
  }
}

function eachRun(word: string, offset: number, emit: Emit): void {
  for (const { 0: run, groups, index } of word.matchAll(SCRIPT_RUN)) {
    const start = offset + index
    if (groups?.['han']) bigrams(run, start, emit)
    else if (groups?.['dictionary']) dictionaryWords(run, start, (part, at) => emitTerms(part, at, emit))
    else emitTerms(run, start, emit)
  }
}

function emitTerms(word: string, start: number, emit: Emit): void {
  for (const term of wordTerms(word)) emit(term, start, start + word.length)
}
