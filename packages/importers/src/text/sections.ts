import type { ExtractedText, TextSection } from './extract.ts'

/** Max. characters of a document, and of one section. A longer section becomes several. */
const MAX_CHARS = 10_000_000
const MAX_SECTION_CHARS = 50_000

/** Collects the sections of a document. A new one begins with each heading. */
export class Sections {
  readonly #sections: TextSection[] = []
  readonly #lines: string[] = []
  #title: string | undefined
  #size = 0
  #chars = 0

  get isFull(): boolean {
    return this.#chars > MAX_CHARS
  }

  heading(title: string): void {
    this.#close()
    this.#title = title.trim().slice(0, 500) || undefined
  }

  add(text: string): void {
    if (this.isFull) return
    this.#chars += text.length
    // Splits a long paragraph into pieces, too.
    for (let at = 0; at === 0 || at < text.length; at += MAX_SECTION_CHARS) {
      const piece = text.slice(at, at + MAX_SECTION_CHARS)
      if (this.#size + piece.length > MAX_SECTION_CHARS) this.#close()
      this.#lines.push(piece)
      this.#size += piece.length
    }
  }

  /** Returns the whole document. */
  end(about: Omit<ExtractedText, 'text' | 'sections'> = {}): ExtractedText {
    this.#close()
    const text = this.#sections.map((section) => [section.title, section.text].filter(Boolean).join('\n')).join('\n\n')
    const problem = this.isFull
      ? `has a text of more than ${MAX_CHARS} characters; the rest is not imported`
      : undefined
    return { ...about, problem: about.problem ?? problem, text, sections: this.#sections }
  }

  #close(): void {
    const text = tidy(this.#lines.join('\n'))
    if (text !== '' || (this.#title !== undefined && this.#size === 0))
      this.#sections.push({ position: this.#sections.length + 1, title: this.#title, text })
    this.#lines.length = 0
    this.#size = 0
  }
}

export const tidy = (text: string): string =>
  text
    .replaceAll('\u0000', '')
    .replaceAll('\u00ad', '')
    .replace(/[ \t\u00a0]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .toWellFormed()
    .trim()
