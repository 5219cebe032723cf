const [NUL, ESCAPE] = ['\0', '\u0001']

/**
 * PostgreSQL refuses texts with NUL. So NUL and U+0001 are each stored as U+0001 and a second character that tells
 * which one is meant. Every text can be stored in this way, and texts still compare in the order of their bytes. A lone
 * surrogate becomes U+FFFD, as in SQLite.
 */
export function pgText(text: string): string {
  if (!text.includes(NUL) && !text.includes(ESCAPE)) return text
  return text.replaceAll(ESCAPE, '\u0001\u0002').replaceAll(NUL, '\u0001\u0001')
}

/** The text that `pgText` has stored. */
export function plainText(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored
  return stored.replaceAll('\u0001\u0001', NUL).replaceAll('\u0001\u0002', ESCAPE)
}
