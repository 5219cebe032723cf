import { rawNumber } from './json.ts'

export interface JsonMeasure {
  /** Approximate length of the value as JSON. The number of bytes is at most six times as large. */
  readonly chars: number
  /** Nesting levels of lists and objects. Counting stops one level beyond the limit. */
  readonly depth: number
  /** True if a number was kept as its digits, as `parseJson` does. */
  readonly hasRawNumbers: boolean
}

const NUMBER_CHARS = 8
const WORD_CHARS = 5

/** Measures a value that was never text, for the limits of a record. */
export function measureJson(value: unknown, maxDepth: number): JsonMeasure {
  let depth = 0
  let hasRawNumbers = false
  const charsOf = (part: unknown, level: number): number => {
    if (typeof part === 'string') return part.length + 2
    if (typeof part === 'number') return NUMBER_CHARS
    if (part === null || typeof part !== 'object') return WORD_CHARS
    const digits = rawNumber(part)
    if (digits !== undefined) {
      hasRawNumbers = true
      return digits.length
    }
    if (level > depth) depth = level
    if (level > maxDepth) return 2
    let chars = 2
    if (Array.isArray(part)) for (const item of part) chars += charsOf(item, level + 1) + 1
    else
      for (const name of Object.keys(part))
        chars += name.length + 4 + charsOf((part as Record<string, unknown>)[name], level + 1)
    return chars
  }
  return { chars: charsOf(value, 1), depth, hasRawNumbers }
}
