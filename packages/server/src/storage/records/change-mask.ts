import type { FieldSet } from '../../grants/read-scope.ts'
import { BITS_PER_PART, FULL_MASK, fieldOf, type Layout } from './layout.ts'

/** A set of field positions, split into parts that fit an integer column. */
export type Mask = ReadonlyMap<number, bigint>

/** All undeclared fields share position 0. */
export function maskOf(layout: Layout, names: Iterable<string>): Mask {
  const mask = new Map<number, bigint>()
  for (const name of names) {
    const bit = fieldOf(layout, name)?.bit ?? 0
    const part = Math.floor(bit / BITS_PER_PART)
    mask.set(part, (mask.get(part) ?? 0n) | (1n << BigInt(bit % BITS_PER_PART)))
  }
  return mask
}

/** A new or deleted record changes every field, including fields declared later, so its mask is one full part. */
export const ALL_FIELDS: Mask = new Map([[0, FULL_MASK]])

/**
 * SQL that is true for changes of any field in the set. The row of a new record keeps the bits of its primary key for
 * ever, because a key never changes; so a walk from version 0 finds every record.
 */
export function touchesSql(layout: Layout, fields: FieldSet, alias: string): string {
  if (fields === 'all') return 'true'
  const parts = [...maskOf(layout, fields)].map(
    ([part, mask]) => `(${alias}.part = ${part} and (${alias}.mask & ${mask}) <> 0)`,
  )
  return `(${parts.join(' or ')})`
}
