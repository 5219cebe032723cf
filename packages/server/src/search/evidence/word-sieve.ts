import { LETTERS } from '../analysis/ascii.ts'

/** Letters per sample. Fewer would be found in too many other words. */
const SAMPLE = 3
/** Longer steps would gain little, because most words are short. */
const MAX_LETTERS = 14
/** Places of a sample in a term: from the border before it, from its first letter, or in the part that is sampled. */
const BEGINNING = 1
const SECOND = 2
const ANYWHERE = 4

/** A code of five bits for a letter or digit, without case. 0 for everything else. Some digits share a code. */
const CODES = new Uint8Array(256)
for (const [letter, lower] of LETTERS.entries()) {
  if (lower > 0) CODES[letter] = lower >= 97 ? lower - 96 : 27 + (lower % 5)
}
/** The codes of two bytes, the first one in the higher bits. */
const PAIRS = Uint16Array.from({ length: 1 << 16 }, (_, pair) => (CODES[pair & 255]! << 5) | CODES[pair >> 8]!)

/** Bytes that must follow a text, because samples are read in pairs. */
export const ROOM_AFTER = 16

/**
 * Finds the words of an ASCII text that may be one of the sought terms, without reading the whole text. It looks at
 * three letters, jumps ahead and looks again. The jump is so short that a sought term cannot lie in between, and the
 * three letters are looked up in a table of all that occur in the sought terms.
 */
export class WordSieve {
  readonly #step: number
  /** By sample: 0 if no sought term has it, and bits that tell where one has it. */
  readonly #samples = new Uint8Array(1 << 15)

  constructor(terms: readonly string[]) {
    // A term with other letters cannot be a word of an ASCII text.
    const coded = terms.map(codesOf).filter((codes) => codes.indexOf(0, 1) === codes.length - 1)
    const shortest = Math.min(MAX_LETTERS, ...coded.map(({ length }) => length))
    this.#step = shortest - SAMPLE + 1
    for (const codes of coded) {
      this.#mark(codes, 0, BEGINNING)
      if (codes.length > SAMPLE) this.#mark(codes, 1, SECOND)
      for (let at = 0; at < this.#step; at++) this.#mark(codes, at, ANYWHERE)
    }
  }

  #mark(codes: readonly number[], at: number, where: number): void {
    this.#samples[sampleOf(codes[at]!, codes[at + 1]!, codes[at + 2]!)]! |= where
  }

  /**
   * Calls back for the words that may be sought, in order. After the first call that returns true, reads only `reach`
   * bytes on. The first and the last byte of `length` must not be letters, because they are the borders of the text.
   */
  eachWord(bytes: Buffer, length: number, reach: number, found: (start: number, end: number) => boolean): void {
    const samples = this.#samples
    const step = this.#step
    const view = new DataView(bytes.buffer, bytes.byteOffset, length + ROOM_AFTER)
    let to = length
    let last = 0
    // Two samples per turn, because one test of both is faster than two tests.
    for (let turn = SAMPLE - 1; turn < to; turn += 2 * step) {
      const first = samples[sampleAt(view, turn)]!
      const second = samples[sampleAt(view, turn + step)]!
      if (((first | second) & ANYWHERE) === 0) continue
      for (let at = turn; at <= turn + step && at < to; at += step) {
        if (((at === turn ? first : second) & ANYWHERE) === 0) continue
        // A sample of a term has a letter in its middle, because borders are only before and after the term.
        let start = at - 1
        while (CODES[bytes[start - 1]!] !== 0) start--
        if (start === last) continue
        last = start
        if (!this.#beginsTerm(view, start)) continue
        let end = at
        while (CODES[bytes[end]!] !== 0) end++
        if (found(start, end)) to = Math.min(to, end + reach)
      }
    }
  }

  #beginsTerm(view: DataView, start: number): boolean {
    if ((this.#samples[sampleAt(view, start + 1)]! & BEGINNING) === 0) return false
    const isOneLetter = CODES[view.getUint8(start + 1)] === 0
    return isOneLetter || (this.#samples[sampleAt(view, start + 2)]! & SECOND) !== 0
  }
}

/** The sample that ends at a byte. Reads four bytes at once, which takes less than half as long as one by one. */
function sampleAt(view: DataView, at: number): number {
  const bytes = view.getUint32(at - 2, true)
  return (PAIRS[bytes & 0xffff]! << 5) | CODES[(bytes >>> 16) & 0xff]!
}

const sampleOf = (first: number, second: number, third: number): number => (first << 10) | (second << 5) | third

/** The codes of a term and of the borders around it. */
function codesOf(term: string): number[] {
  return [0, ...Array.from(term, (letter) => CODES[letter.charCodeAt(0)] ?? 0), 0]
}
