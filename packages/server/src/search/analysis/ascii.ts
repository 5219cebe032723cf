// Most text in records is ASCII, and a table of 128 codes is faster than a regular expression.

/**
 * Max. UTF-16 units of a term. Longer runs of letters are data, not words. Index and query use the same limit, so cut
 * terms still match.
 */
export const TERM_UNITS = 64

/** Lower-case code of a letter or digit; 0 for everything else. */
export const LETTERS = new Uint8Array(128)
for (const letter of '0123456789abcdefghijklmnopqrstuvwxyz') {
  LETTERS[letter.charCodeAt(0)] = letter.charCodeAt(0)
  LETTERS[letter.toUpperCase().charCodeAt(0)] = letter.charCodeAt(0)
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false
  return true
}
