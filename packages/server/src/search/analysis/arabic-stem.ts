const LETTERS = /^[\u0620-\u064a]+$/
const PREFIXES = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل']
const SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي']

/**
 * Light stemming after Larkey's "light10". Arabic writes articles and conjunctions as part of the word, so without
 * stemming "the book" and "book" would share no term. Expects folded letters (alef, ya and ta marbuta unified).
 */
export function arabicStem(word: string): string {
  if (!LETTERS.test(word)) return word
  let stem = word.startsWith('و') && word.length > 3 ? word.slice(1) : word
  const prefix = PREFIXES.find((letters) => stem.startsWith(letters) && stem.length >= letters.length + 2)
  if (prefix) stem = stem.slice(prefix.length)
  for (const suffix of SUFFIXES) {
    if (stem.endsWith(suffix) && stem.length >= suffix.length + 2) stem = stem.slice(0, -suffix.length)
  }
  return stem
}
