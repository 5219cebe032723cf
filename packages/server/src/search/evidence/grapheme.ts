const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Tells where a text may be cut, looking only at the neighbourhood of the place asked about. */
export class GraphemeBorders {
  readonly #text: string
  #segments: Intl.Segments | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** The place itself, or the start of the grapheme that it lies in. */
  before(unit: number): number {
    return this.#isPlain(unit) ? unit : (this.#containing(unit)?.index ?? unit)
  }

  /** The place itself, or the end of the grapheme that it lies in. */
  after(unit: number): number {
    if (this.#isPlain(unit)) return unit
    const found = this.#containing(unit)
    return !found || found.index === unit ? unit : found.index + found.segment.length
  }

  /** Between two plain characters there is always a border, but for a line break of two. */
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
