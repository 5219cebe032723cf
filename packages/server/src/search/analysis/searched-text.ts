/** Separates the texts of a list, and paragraphs in other texts. No phrase goes beyond it. */
export const PARAGRAPH = '\u2029'

/** The text of a search field: its own text, or the texts of a list. Any other value has no text. */
export function searchedText(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').join(PARAGRAPH) : ''
}

/** The text in the form that a reader sees: a list as JSON, as in a window into the field. */
export function shownText(value: unknown): string {
  return Array.isArray(value) ? JSON.stringify(value) : searchedText(value)
}
