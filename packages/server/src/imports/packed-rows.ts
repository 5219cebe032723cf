import type { IngestRow } from '@pdpp/importers'
import { rawNumber } from '@pdpp/protocol'
import { fromCloneable, toCloneable } from '../lib/threads/cloneable.ts'

/**
 * Rows that are sent from one thread to another. Rows of a table have the same member names, so the names are sent once
 * and all values in one list. That is half the work of cloning the rows.
 */
export interface PackedRows {
  readonly keys: readonly IngestRow['key'][]
  /** The names of the members, for the next `rows` rows. */
  readonly shapes: readonly { readonly names: readonly string[]; readonly rows: number }[]
  readonly values: readonly unknown[]
}

export function packRows(rows: readonly IngestRow[]): PackedRows {
  const shapes: { names: string[]; rows: number }[] = []
  const values: unknown[] = []
  for (const { data } of rows) {
    const names = Object.keys(data)
    const last = shapes.at(-1)
    if (last && isSame(last.names, names)) last.rows++
    else shapes.push({ names, rows: 1 })
    for (const name of names) values.push(packed(data[name]))
  }
  return { keys: rows.map(({ key }) => key), shapes, values }
}

export function unpackRows({ keys, shapes, values }: PackedRows): IngestRow[] {
  const rows: IngestRow[] = []
  let at = 0
  for (const shape of shapes)
    for (let count = 0; count < shape.rows; count++) {
      const data: Record<string, unknown> = {}
      for (const name of shape.names) {
        const value = fromCloneable(values[at++])
        if (value !== undefined) data[name] = value
      }
      rows.push({ key: keys[rows.length]!, data })
    }
  return rows
}

function isSame(before: readonly string[], names: readonly string[]): boolean {
  return before.length === names.length && before.every((name, at) => name === names[at])
}

/** Converts a value as JSON would. */
function packed(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (value === null || typeof value !== 'object') return value
  if (rawNumber(value) !== undefined) return toCloneable(value)
  if (Array.isArray(value)) return value.map((item) => packed(item) ?? null)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, packed(member)]])),
  )
}
