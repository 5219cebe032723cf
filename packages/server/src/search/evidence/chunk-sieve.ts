import { LETTERS } from '../analysis/ascii.ts'
import { wordTerms } from '../analysis/fold.ts'

const HIGH_BITS = 0x80808080 | 0
/** Letters below this code are folded one by one, independently of their neighbours: Latin, Greek and Cyrillic. */
const FOLDED_CODES = 0x530
const KNOWN_CODES = 0x3040
/** The kind of a character whose terms only the analyser knows. */
const STRANGE = 1
/** The kind of a character between two words. */
const BREAK = 2
/** The kind of a character that begins a term wherever it is, as in Chinese. */
const UNSPACED = 3
const WORD = /[\p{L}\p{N}\p{M}\u00ad\u200c\u2060\p{Extended_Pictographic}]|\u200d/u
const SIMPLE = /^[\p{L}\p{N}]{1,2}$/u

/** By character: its kind, or the first two units that it is folded to. 0 if it was not looked at yet. */
const kinds = new Uint32Array(KNOWN_CODES)

/**
 * Finds the words with letters outside ASCII that may be one of the sought terms. A chunk is a run of letters, digits
 * and characters outside ASCII. It may have several words: "it’s" has two.
 */
export class ChunkSieve {
  /** The pairs of units that terms begin with, and the single units that any term may begin with. */
  readonly #starts = new Set<number>()
  readonly #prefixes = new Set<number>()
  /** The first units of terms in scripts where every character begins a term. */
  readonly #unspaced = new Set<number>()
  /** The first two units of the word that is being read. */
  #first = 0
  #second = 0

  constructor(terms: Iterable<string>, prefixes: readonly { readonly prefix: string }[]) {
    for (const term of terms) {
      this.#starts.add(pairOf(term.charCodeAt(0), term.charCodeAt(1) || 0))
      if (isUnspaced(term.charCodeAt(0))) this.#unspaced.add(term.charCodeAt(0))
    }
    for (const { prefix } of prefixes) if (prefix.length === 1) this.#prefixes.add(prefix.charCodeAt(0))
  }

  /** False if no word of the chunk can be a sought term. */
  passes(text: string, start: number, end: number): boolean {
    this.#first = this.#second = 0
    for (let at = start; at < end; at++) if (this.#isSought(text.charCodeAt(at))) return true
    return this.#isWordSought()
  }

  /** The same for UTF-8. */
  passesBytes(bytes: Buffer, start: number, end: number): boolean {
    this.#first = this.#second = 0
    for (let at = start; at < end; ) {
      const byte = bytes[at]!
      let code = byte
      if (byte < 0x80) at++
      else if (byte < 0xe0) {
        code = ((byte & 0x1f) << 6) | (bytes[at + 1]! & 0x3f)
        at += 2
      } else if (byte < 0xf0) {
        code = ((byte & 0x0f) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f)
        at += 3
      } else return true
      if (this.#isSought(code)) return true
    }
    return this.#isWordSought()
  }

  /** Reads the next unit. True if a sought term may begin with it or with what was read before. */
  #isSought(code: number): boolean {
    const kind = kindOf(code)
    if (kind === STRANGE) return true
    if (kind === BREAK || kind === UNSPACED) {
      if (this.#isWordSought() || (kind === UNSPACED && this.#unspaced.has(code))) return true
      this.#first = this.#second = 0
    } else if (this.#first === 0) {
      this.#first = kind & 0xffff
      this.#second = kind >>> 16
    } else if (this.#second === 0) this.#second = kind & 0xffff
    return false
  }

  #isWordSought(): boolean {
    if (this.#first === 0) return false
    return this.#starts.has(pairOf(this.#first, this.#second)) || this.#prefixes.has(this.#first)
  }
}

const pairOf = (first: number, second: number): number => first * 0x10000 + second

function kindOf(code: number): number {
  if (code < 128) return LETTERS[code]!
  if (code >= KNOWN_CODES) return isUnspaced(code) ? UNSPACED : STRANGE
  const known = kinds[code]!
  if (known !== 0) return known
  const kind = readKind(String.fromCharCode(code))
  kinds[code] = kind
  return kind
}

/** True for the characters of `bigrams` that are one unit and fold to themselves: each of them begins a term. */
const isUnspaced = (code: number): boolean =>
  (code >= 0x4e00 && code <= 0x9fff) ||
  (code >= 0x3041 && code <= 0x3096) ||
  (code >= 0x30a1 && code <= 0x30fa) ||
  code === 0x30fc

function readKind(character: string): number {
  if (!WORD.test(character)) return BREAK
  const folded = wordTerms(character).join(' ')
  const isFolded = character.charCodeAt(0) < FOLDED_CODES && /^\p{L}/u.test(character) && SIMPLE.test(folded)
  return isFolded ? folded.charCodeAt(0) | ((folded.charCodeAt(1) || 0) << 16) : STRANGE
}

/** Calls back for every chunk with a character outside ASCII, in order. */
export function eachChunk(bytes: Buffer, from: number, to: number, visit: (start: number, end: number) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = from, last = from; ; ) {
    while (at + 4 <= to && (view.getUint32(at, true) & HIGH_BITS) === 0) at += 4
    while (at < to && bytes[at]! < 128) at++
    if (at >= to) return
    let start = at
    while (start > last && LETTERS[bytes[start - 1]!]! > 0) start--
    while (at < to && (bytes[at]! > 127 || LETTERS[bytes[at]!]! > 0)) at++
    visit(start, at)
    last = at
  }
}
