import type { ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import type { JsonItem } from './json-stream.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Readers for members of JSON from other programs. A value of the wrong type counts as missing. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined

export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The members that the importer did not read, or undefined if there are none. */
export function othersOf(value: JsonObject, read: ReadonlySet<string>): JsonObject | undefined {
  const others = Object.entries(value).filter(
    ([name, member]) =>
      !read.has(name) && member !== null && member !== '' && !(Array.isArray(member) && !member.length),
  )
  return others.length === 0 ? undefined : Object.fromEntries(others)
}

/**
 * Returns the value if it could be read. Otherwise reports a problem of the given kind, or counts the value as left
 * out.
 */
export function readValue(
  item: JsonItem,
  input: ImportInput,
  kind: string,
  tally: ReadTally,
): { value: unknown; pattern: string; path: JsonItem['path']; place: InputPosition } | ImportItem | undefined {
  const last = item.path.findLast((part) => typeof part === 'number')
  const place = { input: input.name, ...(last === undefined ? {} : { row: last + 1 }) }
  if ('value' in item) return { value: item.value, pattern: item.pattern, path: item.path, place }
  if ('passedOver' in item) {
    const name = item.path.findLast((part) => typeof part === 'string') ?? 'value'
    tally.leftOut(name.slice(0, 40), 'not a part of chats')
    return
  }
  if ('cut' in item) return { problem: { place, reason: 'ends in the middle of a value', kept: false } }
  if (!item.pattern.endsWith('*'))
    return { problem: { place, reason: `${item.pattern} ${item.fault}`, excerpt: item.excerpt, kept: false } }
  tally.saw(kind)
  return { problem: { place, reason: item.fault, excerpt: item.excerpt, kind, kept: false } }
}
