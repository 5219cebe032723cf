const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Finds grapheme borders. Looks only at the text around the offset, so long texts cost no more. */
export class GraphemeBorders {
  readonly #text: string
  #segments: Intl.Segments | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Returns the offset, or the start of the grapheme that contains it. */
  before(unit: number): number {
    return this.#isPlain(unit) ? unit : (this.#containing(unit)?.index ?? unit)
  }

  /** Returns the offset, or the end of the grapheme that contains it. */
  after(unit: number): number {
    if (this.#isPlain(unit)) return unit
    const found = this.#containing(unit)
    return !found || found.index === unit ? unit : found.index + found.segment.length
  }

  /** There is always a border between two ASCII characters, except inside CR LF. */
  #isPlain(unit: number): boolean {
    if (unit <= 0 || unit >= this.#text.length) return true
    const [before, after] = [this.#text.charCodeAt(unit - 1), this.#text.charCodeAt(unit)]
    return before < 128 && after < 128 && after !== 10
  }

  #containing(unit: number): Intl.SegmentData | undefined {
    this.#segments ??= graphemes.segment(this.#text)
    return this.#segments.containing(unit)
  }
}
