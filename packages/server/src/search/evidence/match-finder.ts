import { eachToken } from '../analysis/analyser.ts'
import { isAscii, LETTERS, TERM_UNITS } from '../analysis/ascii.ts'
import { idEnd, idTerm, JOINTS } from '../analysis/ids.ts'
import { SAME_WORD, type WordForm } from '../ranking/forms/word-forms.ts'
import { ChunkSieve, eachChunk } from './chunk-sieve.ts'
import { UnitCounter } from './utf8-units.ts'
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
/** Max. length of a run without spaces that is searched for an id around a word. */
const MAX_RUN = 512
/** An excerpt ends at most this many units after its match. */
const EXCERPT_REACH = 1024
const SPACE = 32
/** Max. bytes of one UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3
const MAX_CACHED = 20_000
const CACHED_UNITS = 24
/** A text of at least this many units is scanned as bytes, which is faster than reading a string. */
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
  #chunkSieve: ChunkSieve | undefined
  /** True if the sieves know all that can be found: they do not know ids, which have digits, nor beginnings. */
  readonly #isSieved: boolean
  #spare = SPARE_UNITS

  constructor(words: readonly SoughtWord[]) {
    this.#words = words.length
    this.#shortest = Math.min(...words.flatMap(({ forms }) => forms.map(({ term }) => term.length)))
    this.#prefixes = words.flatMap(({ term, isPrefix }, word) => (isPrefix ? [{ word, prefix: term }] : []))
    const hasDigits = words.some(({ forms }) => forms.some(({ term }) => /\d/.test(term)))
    this.#isSieved = !hasDigits && !this.#prefixes.some(({ prefix }) => isAscii(prefix))
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
   * Does the same as `#scanUnits`, but reads UTF-8, and reads only parts of it. False if it cannot: a word is in a long
   * run without spaces.
   */
  #scanBytes(text: string, from: number, to: number, hits: Hit[]): boolean {
    if (!this.#isSieved) return false
    const room = MAX_UNIT_BYTES * (to - from) + 2 + ROOM_AFTER
    if (bytes.length < room) bytes = Buffer.alloc(room, ' ')
    // The bytes begin and end with a space.
    const length = bytes.write(text.slice(from, to), 1, 'utf8')
    bytes[length + 1] = SPACE
    const isAscii = length === to - from
    const others = isAscii ? [] : this.#otherWords(length + 1, from)
    const plain = others && this.#plainWords(text, length + 2, from, isAscii, others.length === 0)
    if (!plain) return false
    const found = others.length === 0 ? plain : [...others, ...plain].sort((a, b) => a.start - b.start)
    for (const hit of found) hits.push(hit)
    return true
  }

  /** The hits among words of ASCII letters. Undefined if it cannot tell. `settles` allows it to leave out late hits. */
  #plainWords(text: string, length: number, from: number, isAscii: boolean, settles: boolean): Hit[] | undefined {
    const hits: Hit[] = []
    this.#sieve ??= new WordSieve([...this.#forms.keys()])
    const units = isAscii ? undefined : new UnitCounter(bytes, 1, from)
    let isClear = true
    this.#sieve.eachWord(bytes, length, EXCERPT_REACH, (first, last) => {
      // The letters are a part of a word with other letters.
      if (bytes[first - 1]! > 127 || bytes[last]! > 127) return false
      const start = units ? units.at(first) : from + first - 1
      const end = start + last - first
      const isWord = isOutsideId(text, start, end)
      isClear &&= isWord !== undefined
      if (isWord) this.#plainWord(text, start, end, hits)
      return settles && this.#settles(hits.at(-1))
    })
    return isClear ? hits : undefined
  }

  /** The hits among words with letters outside ASCII. Undefined if it cannot tell. */
  #otherWords(length: number, from: number): Hit[] | undefined {
    const hits: Hit[] = []
    const sieve = this.#sieveOfChunks()
    const units = new UnitCounter(bytes, 1, from)
    let isClear = true
    eachChunk(bytes, 1, length, (first, last) => {
      if (JOINTS[bytes[first - 1]!] === 1 || JOINTS[bytes[last]!] === 1)
        isClear &&= this.#besideJoint(first, last, units, hits)
      else if (sieve.passesBytes(bytes, first, last))
        this.#otherChunk(bytes.toString('utf8', first, last), units.at(first), hits)
    })
    return isClear ? hits : undefined
  }

  #sieveOfChunks(): ChunkSieve {
    this.#chunkSieve ??= new ChunkSieve(this.#forms.keys(), this.#prefixes)
    return this.#chunkSieve
  }

  /** A joint may make the beginning or the end of a chunk a piece of an id. No id goes beyond a space. */
  #besideJoint(first: number, last: number, units: UnitCounter, hits: Hit[]): boolean {
    let [start, end] = [first, last]
    while (bytes[start - 1]! > SPACE) if (first - --start > MAX_RUN) return false
    while (bytes[end]! > SPACE) if (++end - last > MAX_RUN) return false
    const chunk = units.at(first)
    const before = bytes.toString('utf8', start, first).length
    const after = before + bytes.toString('utf8', first, last).length
    eachToken(bytes.toString('utf8', start, end), (term, from, to) => {
      if (from < before || to > after) return
      for (const { word, closeness } of this.#find(term))
        hits.push({ word, closeness, start: chunk + from - before, end: chunk + to - before })
    })
    return true
  }

  /**
   * True if no hit far after this one can change what is shown: evidence of a single word is its first shortest hit,
   * and one hit that is the same word proves the match.
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
      if (start < last && plain) this.#plainWord(text, start, last, hits)
      else if (start < last && this.#sieveOfChunks().passes(text, start, last))
        this.#otherChunk(text.slice(start, last), start, hits)
      if (end > 0) {
        this.#id(text, piece, end, hits)
        index = end
      }
    }
  }

  #id(text: string, start: number, end: number, hits: Hit[]): void {
    for (const { word, closeness } of this.#find(idTerm(text, start, end))) hits.push({ word, closeness, start, end })
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

const isSpaceAt = (text: string, at: number): boolean => at < 0 || at >= text.length || text.charCodeAt(at) <= SPACE

/**
 * False for a word that is a piece of an id: "page" in "?page=31". Only joints make a word a piece of one, and no id
 * goes beyond a space. Undefined if there is no space nearby.
 */
function isOutsideId(text: string, start: number, end: number): boolean | undefined {
  if (JOINTS[text.charCodeAt(start - 1)] !== 1 && JOINTS[text.charCodeAt(end)] !== 1) return true
  let [first, last] = [start, end]
  while (!isSpaceAt(text, first - 1)) if (start - --first > MAX_RUN) return
  while (!isSpaceAt(text, last)) if (++last - end > MAX_RUN) return
  let isToken = false
  eachToken(text.slice(first, last), (_term, from, to) => {
    isToken ||= first + from === start && first + to === end
  })
  return isToken
}

/** Returns the next whitespace within 256 units, so that no word is cut. */
function wordBorder(text: string, from: number): number {
  const space = text.slice(from, from + 256).search(/\s/)
  return space < 0 ? from : from + space
}
