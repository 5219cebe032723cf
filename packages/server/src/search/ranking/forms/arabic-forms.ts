const LETTERS = /^[\u0620-\u064a]+$/
/** "With", "for", "like", "then" and "and" are written as one letter before a word. */
const PARTICLES = ['ب', 'ل', 'ك', 'ف', 'و']
/** Min. letters that must be left. */
const MIN_LETTERS = 3

/**
 * The forms of a word with and without the particles that Arabic writes together with it. Expects stems of the
 * analyser.
 */
export function arabicForms(word: string): string[] {
  if (!LETTERS.test(word) || word.length < MIN_LETTERS) return []
  const bare = PARTICLES.includes(word[0]!) && word.length > MIN_LETTERS ? [word.slice(1)] : []
  return [...bare, ...[word, ...bare].flatMap((stem) => PARTICLES.map((letter) => letter + stem))]
}
