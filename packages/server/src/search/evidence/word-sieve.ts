import { LETTERS } from '../analysis/ascii.ts'

/** Letters per sample. Fewer would be found in too many other words. */
const SAMPLE = 3
/** Longer steps would gain little, because most words are short. */
const MAX_LETTERS = 14

/** A code of five bits for a letter or digit, the same for both cases; 0 for everything else. Some digits share a code. */
const CODES = new Uint8Array(256)
for (const [letter, lower] of LETTERS.entries()) {
  if (lower > 0) CODES[letter] = lower >= 97 ? lower - 96 : 27 + (lower % 5)
}

/**
 * Finds the words of an ASCII text that may be one of the sought terms, without reading the whole text. It looks at
 * three letters, jumps ahead and looks again. The jump is so short that a sought term cannot lie in between, and the
 * three letters are looked up in a table of all that occur in the sought terms.
 */
export class WordSieve {
  readonly #step: number
  readonly #samples = new Uint8Array(1 << 15)

  constructor(terms: readonly string[]) {
    // A term with other letters cannot be a word of an ASCII text.
    const coded = terms.map(codesOf).filter((codes) => codes.indexOf(0, 1) === codes.length - 1)
    const shortest = Math.min(MAX_LETTERS, ...coded.map(({ length }) => length))
    this.#step = shortest - SAMPLE + 1
    for (const codes of coded) {
      for (let at = 2; at < shortest; at++) this.#samples[sampleOf(codes[at - 2]!, codes[at - 1]!, codes[at]!)] = 1
    }
  }

  /**
   * Calls back for every word that may be sought, in order. The first and the last of these bytes must not be letters,
   * because they are the borders of the text.
   */
  eachWord(bytes: Uint8Array, length: number, found: (start: number, end: number) => void): void {
    const samples = this.#samples
    const step = this.#step
    let last = 0
    for (let at = SAMPLE - 1; at < length; at += step) {
      const sample = sampleOf(CODES[bytes[at - 2]!]!, CODES[bytes[at - 1]!]!, CODES[bytes[at]!]!)
      if (samples[sample] === 0) continue
      // A sample of a term has a letter in its middle, because a border is only before the first or after the last one.
      let start = at - 1
      while (CODES[bytes[start - 1]!] !== 0) start--
      if (start === last) continue
      let end = at
      while (CODES[bytes[end]!] !== 0) end++
      last = start
      found(start, end)
    }
  }
}

const sampleOf = (first: number, second: number, third: number): number => (first << 10) | (second << 5) | third

/** The codes of a term and of the borders around it. */
function codesOf(term: string): number[] {
  return [0, ...Array.from(term, (letter) => CODES[letter.charCodeAt(0)] ?? 0), 0]
}
