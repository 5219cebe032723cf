import { eachToken } from '../analysis/analyser.ts'
import { LETTERS, TERM_UNITS } from '../analysis/ascii.ts'
import { idEnd, idTerm, JOINTS } from '../analysis/ids.ts'
import type { WordForm } from '../ranking/forms/word-forms.ts'

/** One occurrence of a query word. Offsets are UTF-16 units; positions count words. */
export interface Hit {
  readonly word: number
  /** 1 for the word itself, less for another form of it. */
  readonly closeness: number
  readonly position: number
  readonly start: number
  readonly end: number
}

export interface FieldScan {
  readonly length: number
  readonly hits: readonly Hit[]
}

/** A word to find: the terms that count as this word, each with its closeness. */
export interface SoughtWord {
  readonly term: string
  /** True if every term that begins with it counts as the word. */
  readonly isPrefix: boolean
  readonly forms: readonly WordForm[]
}

interface Found {
  readonly word: number
  readonly closeness: number
}

/** Units that are always scanned. The text after them is scanned only until every query word was found. */
const RANKED_UNITS = 64 * 1024
/** Max. units scanned after that limit, over all texts of one query, so that many long texts cannot delay a search. */
const SPARE_UNITS = 8 * 1024 * 1024
const LAST_UNIT = 1024 * 1024
const MAX_CACHED = 20_000
const CACHED_UNITS = 24
/**
 * A text of at least this many units is scanned as bytes, which is three times as fast as reading the units of a
 * string.
 */
const LONG_UNITS = 1024

// One search runs at a time in a thread, so all searches share this buffer. It is large enough for a part of a text.
let bytes: Buffer = Buffer.allocUnsafe(4096)

/** Finds the words of one query in many texts. */
export class MatchFinder {
  readonly #words: number
  readonly #prefixes: readonly { readonly word: number; readonly prefix: string }[]
  /** The words that each term counts as. */
  readonly #forms = new Map<string, Found[]>()
  readonly #terms = new Map<string, readonly Found[]>()
  /** Cache, because words repeat from text to text. */
  readonly #chunks = new Map<string, FieldScan>()
  /** Marks the pairs of first letters that query words begin with. This skips nearly all words of a text. */
  readonly #starts = new Uint8Array(128 * 128)
  #spare = SPARE_UNITS

  constructor(words: readonly SoughtWord[]) {
    this.#words = words.length
    this.#prefixes = words.flatMap(({ term, isPrefix }, word) => (isPrefix ? [{ word, prefix: term }] : []))
    for (const [word, { forms }] of words.entries()) {
      for (const { term, closeness } of forms) {
        this.#forms.set(term, [...(this.#forms.get(term) ?? []), { word, closeness }])
        const [first, second] = [term.charCodeAt(0), term.charCodeAt(1)]
        if (first < 128 && (Number.isNaN(second) || second < 128)) this.#starts[first * 128 + (second || 0)] = 1
      }
    }
  }

  scan(text: string): FieldScan {
    const hits: Hit[] = []
    let length = 0
    for (let from = 0; from < Math.min(text.length, LAST_UNIT); ) {
      if (from > 0 && (this.#spare <= 0 || this.#foundAll(hits))) break
      const to = text.length - from <= RANKED_UNITS ? text.length : wordBorder(text, from + RANKED_UNITS)
      if (from > 0) this.#spare -= to - from
      length = this.#scanPart(text, from, to, length, hits)
      from = to
    }
    return { length, hits }
  }

  #scanPart(text: string, from: number, to: number, position: number, hits: Hit[]): number {
    const inBytes = to - from < LONG_UNITS ? undefined : this.#scanBytes(text, from, to, position, hits)
    return inBytes ?? this.#scanUnits(text, from, to, position, hits)
  }

  /**
   * Does the same as `#scanUnits` for ASCII. Undefined if the text is not ASCII, which shows in its having more bytes
   * than units.
   */
  #scanBytes(text: string, from: number, to: number, position: number, hits: Hit[]): number | undefined {
    const length = to - from
    if (bytes.length < length + 4) bytes = Buffer.allocUnsafe(length + 4)
    const letters = bytes
    if (letters.write(text.slice(from, to), 0, length + 4, 'utf8') !== length) return
    // A space ends the last word.
    letters[length] = 32
    const starts = this.#starts
    let words = position
    for (let at = 0; at < length; at++) {
      const first = LETTERS[letters[at]!]!
      if (first === 0) continue
      const [start, second] = [at, LETTERS[letters[at + 1]!]!]
      while (LETTERS[letters[++at]!] !== 0);
      const end = JOINTS[letters[at]!] === 1 ? idEnd(text, from + start, from + at) : 0
      if (end > 0) {
        words = this.#id(text, from + start, end, words, hits)
        at = end - from - 1
        continue
      }
      if (starts[first * 128 + second] === 1) this.#plainWord(text, from + start, from + at, words, hits)
      words++
    }
    return words
  }

  /** Splits the text into chunks. ASCII words are checked by their first letters; other chunks are tokenized. */
  #scanUnits(text: string, from: number, to: number, position: number, hits: Hit[]): number {
    let at = position
    let index = from
    while (index < to) {
      const first = text.charCodeAt(index)
      if (first < 128 && LETTERS[first] === 0) {
        index++
        continue
      }
      const start = index
      let [piece, plain] = [index, true]
      for (; index < to; index++) {
        const code = text.charCodeAt(index)
        if (code > 127) {
          plain = false
          piece = index + 1
        } else if (LETTERS[code] === 0) break
      }
      const end = JOINTS[text.charCodeAt(index)] === 1 && piece < index ? idEnd(text, piece, index) : 0
      const last = end > 0 ? piece : index
      if (start < last)
        at = plain
          ? this.#plainWord(text, start, last, at, hits)
          : this.#otherChunk(text.slice(start, last), start, at, hits)
      if (end > 0) {
        at = this.#id(text, piece, end, at, hits)
        index = end
      }
    }
    return at
  }

  #id(text: string, start: number, end: number, position: number, hits: Hit[]): number {
    const term = idTerm(text, start, end)
    for (const { word, closeness } of this.#find(term)) hits.push({ word, closeness, position, start, end })
    return position + 1
  }

  #plainWord(text: string, start: number, end: number, position: number, hits: Hit[]): number {
    const first = LETTERS[text.charCodeAt(start)]!
    const second = end - start > 1 ? LETTERS[text.charCodeAt(start + 1)]! : 0
    if (this.#starts[first * 128 + second] === 1) {
      const term = text.slice(start, Math.min(end, start + TERM_UNITS)).toLowerCase()
      for (const { word, closeness } of this.#find(term)) hits.push({ word, closeness, position, start, end })
    }
    return position + 1
  }

  #otherChunk(chunk: string, offset: number, position: number, hits: Hit[]): number {
    const { length, hits: found } = this.#chunk(chunk)
    for (const hit of found) {
      const { word, closeness, start, end } = hit
      hits.push({ word, closeness, position: position + hit.position, start: offset + start, end: offset + end })
    }
    return position + length
  }

  #chunk(chunk: string): FieldScan {
    const known = this.#chunks.get(chunk)
    if (known) return known
    const hits: Hit[] = []
    let length = 0
    eachToken(chunk, (term, start, end) => {
      for (const { word, closeness } of this.#find(term)) hits.push({ word, closeness, position: length, start, end })
      length++
    })
    if (chunk.length <= CACHED_UNITS && this.#chunks.size < MAX_CACHED) this.#chunks.set(chunk, { length, hits })
    return { length, hits }
  }

  #find(term: string): readonly Found[] {
    const known = this.#terms.get(term)
    if (known) return known
    const exact = this.#forms.get(term) ?? []
    const begun = this.#prefixes.filter(
      ({ word, prefix }) => term.startsWith(prefix) && !exact.some((other) => other.word === word),
    )
    const found = [...exact, ...begun.map(({ word }) => ({ word, closeness: 1 }))].sort((a, b) => a.word - b.word)
    if (this.#terms.size < MAX_CACHED) this.#terms.set(term, found)
    return found
  }

  #foundAll(hits: readonly Hit[]): boolean {
    return new Set(hits.map(({ word }) => word)).size === this.#words
  }
}

/** Returns the next whitespace within 256 units, so that no word is cut. */
function wordBorder(text: string, from: number): number {
  const space = text.slice(from, from + 256).search(/\s/)
  return space < 0 ? from : from + space
}
