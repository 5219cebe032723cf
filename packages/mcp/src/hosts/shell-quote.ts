/** Characters that a terminal obeys or that reverse the text. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Quotes a word for a shell, so that a printed command works when pasted and cannot control the terminal. */
export function quoted(word: string): string {
  if (word.search(CONTROL) !== -1) return `$'${word.replace(/['\\]/g, '\\$&').replace(CONTROL, escaped)}'`
  return /^[A-Za-z0-9_./:@%+,=-]+$/.test(word) && !word.startsWith('=') ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

const escaped = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

export const commandLine = (words: readonly string[]): string => words.map(quoted).join(' ')
