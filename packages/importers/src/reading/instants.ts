import { parseInstant } from '@pdpp/protocol'

const order = (a: string, b: string): number => (parseInstant(a) ?? 0) - (parseInstant(b) ?? 0)

/** The earlier of two times that may be missing. Texts with different offsets are compared as instants. */
export const earlier = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || b === undefined ? (a ?? b) : order(a, b) <= 0 ? a : b

export const later = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || b === undefined ? (a ?? b) : order(a, b) >= 0 ? a : b
