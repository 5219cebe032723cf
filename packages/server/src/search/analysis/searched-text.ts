/** The text of a search field: its own, or the texts of a list. Anything else has none. */
export function searchedText(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').join('\n') : ''
}

/** The same as a reader sees it: a list is JSON, as a window into the field shows it. */
export function shownText(value: unknown): string {
  return Array.isArray(value) ? JSON.stringify(value) : searchedText(value)
}
