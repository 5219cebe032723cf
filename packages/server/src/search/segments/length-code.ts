/**
 * Length codes: the length of a field in one byte, exact up to 127 words and then in steps of five per cent. Only the
 * ranking uses them.
 */
export const LENGTH_CODES = 256
const EXACT = 127
const STEP = 1.05

/** The number of words that each code stands for. */
export const LENGTH_OF: Float64Array = Float64Array.from({ length: LENGTH_CODES }, (_, code) =>
  code <= EXACT ? code : Math.round(EXACT * STEP ** (code - EXACT)),
)

/** The largest code whose number of words is not above this one. */
export function lengthCode(words: number): number {
  if (words <= EXACT) return words
  let code = EXACT
  while (code < LENGTH_CODES - 1 && LENGTH_OF[code + 1]! <= words) code++
  return code
}
