import { LETTERS } from '../analysis/ascii.ts'

/** Letters per sample. Fewer would be found in too many other words. */
const SAMPLE = 3
/** Longer steps would gain little, because most words are short. */
const MAX_LETTERS = 14
/** Where a term has a sample: from the border before it, from its first letter, or in the part that is sampled. */
const BEGINNING = 1
const SECOND = 2
const ANYWHERE = 4

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
  /** By sample: 0 if no sought term has it, and bits that tell where one has it. */
  readonly #samples = new Uint8Array(1 << 15)

  constructor(terms: readonly string[]) {
    // A term with other letters cannot be a word of an ASCII text.
    const coded = terms.map(codesOf).filter((codes) => codes.indexOf(0, 1) === codes.length - 1)
    const shortest = Math.min(MAX_LETTERS, ...coded.map(({ length }) => length))
    this.#step = shortest - SAMPLE + 1
    for (const codes of coded) {
      this.#mark(codes, 0, BEGINNING)
      this.#mark(codes, 1, SECOND)
      for (let at = 0; at < this.#step; at++) this.#mark(codes, at, ANYWHERE)
    }
  }

  #mark(codes: readonly number[], at: number, where: number): void {
    this.#samples[sampleOf(codes[at]!, codes[at + 1]!, codes[at + 2] ?? 0)]! |= where
  }

  /**
   * Calls back for the words that may be sought, in order. The callback returns how far to read on. The first and the
   * last of these bytes must not be letters, because they are the borders of the text.
   */
  eachWord(bytes: Uint8Array, length: number, found: (start: number, end: number) => number): void {
    const samples = this.#samples
    const step = this.#step
    let to = length
    let last = 0
    for (let at = SAMPLE - 1; at < to; at += step) {
      const sample = sampleOf(CODES[bytes[at - 2]!]!, CODES[bytes[at - 1]!]!, CODES[bytes[at]!]!)
      if ((samples[sample]! & ANYWHERE) === 0) continue
      // A sample of a term has a letter in its middle, because a border is only before the first or after the last one.
      let start = at - 1
      while (CODES[bytes[start - 1]!] !== 0) start--
      if (start === last) continue
      last = start
      const first = CODES[bytes[start]!]!
      const second = CODES[bytes[start + 1]!]!
      if ((samples[sampleOf(0, first, second)]! & BEGINNING) === 0) continue
      const third = second === 0 ? 0 : CODES[bytes[start + 2]!]!
      if ((samples[sampleOf(first, second, third)]! & SECOND) === 0) continue
      let end = at
      while (CODES[bytes[end]!] !== 0) end++
      to = Math.min(to, found(start, end))
    }
  }
}

const sampleOf = (first: number, second: number, third: number): number => (first << 10) | (second << 5) | third

/** The codes of a term and of the borders around it. */
function codesOf(term: string): number[] {
  return [0, ...Array.from(term, (letter) => CODES[letter.charCodeAt(0)] ?? 0), 0]
}
