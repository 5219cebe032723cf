/** A word as a shell takes it back: what is printed as a command has to work when it is pasted. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@%+,=-]+$/.test(word) && !word.startsWith('=') ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

export const commandLine = (words: readonly string[]): string => words.map(quoted).join(' ')
