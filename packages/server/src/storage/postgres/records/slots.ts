import { hash } from 'node:crypto'
import type { FieldKind } from '@pdpp/protocol'
import { columnValue } from '../../records/column-value.ts'
import type { ColumnNames, Layout } from '../../records/layout.ts'

/**
 * Numbers of columns with an index: for times and booleans, for numbers, and for texts. Further fields are stored in
 * arrays.
 */
export const [INTEGER_SLOTS, NUMBER_SLOTS, TEXT_SLOTS] = [8, 6, 8]

export const slotNames = (family: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${family}${at}`)

const SLOTS: Readonly<Record<string, number>> = { i: INTEGER_SLOTS, n: NUMBER_SLOTS, t: TEXT_SLOTS }

/** The type of a list of values of a column. */
export const arrayType = (column: string): string => ARRAY_TYPES[column[0]!]!

const ARRAY_TYPES: Readonly<Record<string, string>> = { i: 'bigint[]', n: 'numeric[]', t: 'text[]' }

function familyOf(kind: FieldKind): string {
  if (kind === 'integer' || kind === 'number') return 'n'
  return kind === 'string' ? 't' : 'i'
}

/**
 * Fields that reads sort or limit by get a column with an index, while there are free ones. The first column is for the
 * cursor field.
 */
export function columnNames({ slots = {} }: Layout): ColumnNames {
  const used: Record<string, number> = { i: 1, n: 0, t: 0, ix: 0, nx: 0, tx: 0, ...slots }
  return {
    columnOf: ({ kind, indexed, isCursor }) => {
      const family = familyOf(kind)
      if (isCursor && family === 'i') return 'i0'
      if (indexed && used[family]! < SLOTS[family]!) return `${family}${used[family]!++}`
      // PostgreSQL counts the elements of an array from one.
      return `${family}x[${++used[`${family}x`]!}]`
    },
    get assigned() {
      return { columns: 0, slots: used }
    },
  }
}

/** Whether a column has an index. */
export const hasIndex = (column: string | undefined): boolean => column !== undefined && !column.includes('[')

/** Longer texts are not compared as a whole, because an index entry has at most 2,700 bytes. */
const MAX_CHARS = 400
const KEPT_CHARS = 128

/**
 * A text in the form that is compared. Long texts are equal if and only if their beginnings and their hashes are equal.
 */
export function slotText(text: string): string {
  if (text.length <= MAX_CHARS) return text
  return `${text.slice(0, KEPT_CHARS)}\0${hash('sha256', text, 'base64url')}`
}

/** Whether a stored text is the short form of a longer one. */
export const isShortened = (text: string): boolean => text.length === KEPT_CHARS + 44 && text[KEPT_CHARS] === '\0'

/** The comparable value of a declared field. */
export function slotValue(kind: FieldKind, value: unknown): string | number | bigint | null {
  const comparable = columnValue(kind, value)
  if (typeof comparable === 'string') return slotText(comparable)
  return typeof comparable === 'number' && familyOf(kind) === 'i' ? Math.floor(comparable) : comparable
}
