/** Values of JSON that another program wrote: any member may be missing, or be something else. */
export type Fields = Readonly<Record<string, unknown>>

export const fields = (value: unknown): Fields => (isFields(value) ? value : {})

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Undefined for a text that is empty, too. */
export const string = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined

/** A size or a count. */
export const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** Without members that are undefined; undefined if none is left. */
export function present(all: Fields): Fields | undefined {
  const given = Object.entries(all).filter(([, value]) => value !== undefined)
  return given.length === 0 ? undefined : Object.fromEntries(given)
}
