/** What a terminal obeys or what turns a line around, instead of being seen. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** A word as a shell takes it back: what is printed as a command has to work when it is pasted, and do nothing before. */
export function quoted(word: string): string {
  if (word.search(UNSEEN) !== -1) return `$'${word.replace(/['\\]/g, '\\$&').replace(UNSEEN, escaped)}'`
  return /^[A-Za-z0-9_./:@%+,=-]+$/.test(word) && !word.startsWith('=') ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

const escaped = (sign: string): string =>
  [...Buffer.from(sign)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

export const commandLine = (words: readonly string[]): string => words.map(quoted).join(' ')
