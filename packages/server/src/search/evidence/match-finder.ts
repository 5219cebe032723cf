import { eachToken } from '../analysis/analyser.ts'
import { isAscii, LETTERS, TERM_UNITS } from '../analysis/ascii.ts'
import { SAME_WORD, type WordForm } from '../ranking/forms/word-forms.ts'
import { ROOM_AFTER, WordSieve } from './word-sieve.ts'

/** One occurrence of a query word. Offsets are UTF-16 units. */
export interface Hit {
  readonly word: number
  /** 1 for the word itself, less for another form of it. */
  readonly closeness: number
  readonly start: number
  readonly end: number
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
/** An excerpt ends at most this many units after its match. */
const EXCERPT_REACH = 1024
const SPACE = 32
const MAX_CACHED = 20_000
const CACHED_UNITS = 24
/** A text of at least this many units is scanned as bytes if it is ASCII, which is faster than reading a string. */
const LONG_UNITS = 1024

// One search runs at a time in a thread, so all searches share this buffer. It is large enough for a part of a text.
let bytes: Buffer = Buffer.alloc(4096, ' ')

/** Finds the words of one query in many texts. */
export class MatchFinder {
  readonly #words: number
  readonly #prefixes: readonly { readonly word: number; readonly prefix: string }[]
  /** The words that each term counts as. */
  readonly #forms = new Map<string, Found[]>()
  readonly #terms = new Map<string, readonly Found[]>()
  /** Cache, because words repeat from text to text. */
  readonly #chunks = new Map<string, readonly Hit[]>()
  /** Marks the pairs of first letters that query words begin with. This skips nearly all words of a text. */
  readonly #starts = new Uint8Array(128 * 128)
  /** Made for the first long text. */
  #sieve: WordSieve | undefined
  /** Letters of the shortest form. */
  readonly #shortest: number
  #spare = SPARE_UNITS

  constructor(words: readonly SoughtWord[]) {
    this.#words = words.length
    this.#shortest = Math.min(...words.flatMap(({ forms }) => forms.map(({ term }) => term.length)))
    this.#prefixes = words.flatMap(({ term, isPrefix }, word) => (isPrefix ? [{ word, prefix: term }] : []))
    for (const [word, { forms }] of words.entries()) {
      for (const { term, closeness } of forms) {
        this.#forms.set(term, [...(this.#forms.get(term) ?? []), { word, closeness }])
        const [first, second] = [term.charCodeAt(0), term.charCodeAt(1)]
        if (first < 128 && (Number.isNaN(second) || second < 128)) this.#starts[first * 128 + (second || 0)] = 1
      }
    }
  }

  /** Returns the occurrences in their order. */
  scan(text: string): Hit[] {
    const hits: Hit[] = []
    for (let from = 0; from < Math.min(text.length, LAST_UNIT); ) {
      if (from > 0 && (this.#spare <= 0 || this.#foundAll(hits))) break
      const to = text.length - from <= RANKED_UNITS ? text.length : wordBorder(text, from + RANKED_UNITS)
      if (from > 0) this.#spare -= to - from
      if (to - from < LONG_UNITS || !this.#scanBytes(text, from, to, hits)) this.#scanUnits(text, from, to, hits)
      from = to
    }
    return hits
  }

  /**
   * Does the same as `#scanUnits` for ASCII. False if the text is not ASCII, which shows in its having more bytes than
   * units.
   */
  #scanBytes(text: string, from: number, to: number, hits: Hit[]): boolean {
    // Terms that begin with a sought one are not known to the sieve.
    if (this.#prefixes.some(({ prefix }) => isAscii(prefix))) return false
    const length = to - from
    if (bytes.length < length + 2 + ROOM_AFTER) bytes = Buffer.alloc(length + 2 + ROOM_AFTER, ' ')
    // The bytes begin with a space. There is room for a character of four bytes after them, which tells ASCII apart.
    if (bytes.write(text.slice(from, to), 1, length + 4, 'utf8') !== length) return false
    bytes[length + 1] = SPACE
    this.#sieve ??= new WordSieve([...this.#forms.keys()])
    const offset = from - 1
    this.#sieve.eachWord(bytes, length + 2, EXCERPT_REACH, (start, end) => {
      this.#plainWord(text, offset + start, offset + end, hits)
      return this.#settles(hits.at(-1))
    })
    return true
  }

  /**
   * True if no hit far after this one can change what is shown: evidence of a single word is its first shortest hit, and
   * one hit that is the same word proves the match.
   */
  #settles(hit: Hit | undefined): boolean {
    if (this.#words !== 1 || !hit) return false
    return hit.end - hit.start === this.#shortest && hit.closeness >= SAME_WORD
  }

  /** Splits the text into chunks. ASCII words are checked by their first letters; other chunks are tokenized. */
  #scanUnits(text: string, from: number, to: number, hits: Hit[]): void {
    let index = from
    while (index < to) {
      const first = text.charCodeAt(index)
      if (first < 128 && LETTERS[first] === 0) {
        index++
        continue
      }
      const start = index
      let plain = true
      for (; index < to; index++) {
        const code = text.charCodeAt(index)
        if (code > 127) plain = false
        else if (LETTERS[code] === 0) break
      }
      if (plain) this.#plainWord(text, start, index, hits)
      else this.#otherChunk(text.slice(start, index), start, hits)
    }
  }

  #plainWord(text: string, start: number, end: number, hits: Hit[]): void {
    const first = LETTERS[text.charCodeAt(start)]!
    const second = end - start > 1 ? LETTERS[text.charCodeAt(start + 1)]! : 0
    if (this.#starts[first * 128 + second] === 1) {
      const term = text.slice(start, Math.min(end, start + TERM_UNITS)).toLowerCase()
      for (const { word, closeness } of this.#find(term)) hits.push({ word, closeness, start, end })
    }
  }

  #otherChunk(chunk: string, offset: number, hits: Hit[]): void {
    for (const { word, closeness, start, end } of this.#chunk(chunk))
      hits.push({ word, closeness, start: offset + start, end: offset + end })
  }

  #chunk(chunk: string): readonly Hit[] {
    const known = this.#chunks.get(chunk)
    if (known) return known
    const hits: Hit[] = []
    eachToken(chunk, (term, start, end) => {
      for (const { word, closeness } of this.#find(term)) hits.push({ word, closeness, start, end })
    })
    if (chunk.length <= CACHED_UNITS && this.#chunks.size < MAX_CACHED) this.#chunks.set(chunk, hits)
    return hits
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
