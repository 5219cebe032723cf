/**
 * PostgreSQL refuses texts with NUL. U+0001 stands before a number that says which character is meant, so that every
 * text can be stored and texts still compare as their bytes do. A lone surrogate becomes U+FFFD, as in SQLite.
 */
export function pgText(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replaceAll(/[\0\u0001]/g, (found) => (found === '\0' ? '\u0001\u0001' : '\u0001\u0002'))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters in question.
const SPECIAL = /[\0\u0001]/

/** The text that `pgText` has stored. */
export function plainText(stored: string): string {
  if (!stored.includes('\u0001')) return stored
  return stored.replaceAll(/\u0001([\u0001\u0002])/g, (_, which) => (which === '\u0001' ? '\0' : '\u0001'))
}
