import type { JsonObject } from './json-values.ts'

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** Removes undefined members. Returns undefined if none is left. */
export function present(all: JsonObject): JsonObject | undefined {
  const members = Object.entries(all).filter(([, value]) => value !== undefined)
  return members.length === 0 ? undefined : Object.fromEntries(members)
}
