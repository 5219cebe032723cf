export type JsonObject = Readonly<Record<string, unknown>>

/** Members of JSON that somebody else wrote. A value of another type counts as missing. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined

export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
