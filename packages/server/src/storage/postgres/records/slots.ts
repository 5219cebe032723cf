import { hash } from 'node:crypto'
import type { FieldKind } from '@pdpp/protocol'
import { columnValue } from '../../records/column-value.ts'
import type { ColumnNames, Layout } from '../../records/layout.ts'

/** Columns with an index, for times and truth values, for numbers and for texts. Further fields are in arrays. */
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

/** Fields that reads order or limit get a slot with an index, as long as there are any. The first is for the cursor. */
export function columnNames({ slots = {} }: Layout): ColumnNames {
  const used: Record<string, number> = { i: 1, n: 0, t: 0, ix: 0, nx: 0, tx: 0, ...slots }
  return {
    columnOf: ({ kind, indexed, isCursor }) => {
      const family = familyOf(kind)
      if (isCursor && family === 'i') return 'i0'
      if (indexed && used[family]! < SLOTS[family]!) return `${family}${used[family]!++}`
      // Elements are counted from one.
      return `${family}x[${++used[`${family}x`]!}]`
    },
    get assigned() {
      return { columns: 0, slots: used }
    },
  }
}

/** Whether a column is one with an index. */
export const hasIndex = (column: string | undefined): boolean => column !== undefined && !column.includes('[')

/** Longer texts are not compared as a whole, because an index entry has at most 2,700 bytes. */
const MAX_CHARS = 400
const KEPT_CHARS = 128

/** A text as it is compared. Long ones are equal if and only if their beginning and their hash are. */
export function slotText(text: string): string {
  if (text.length <= MAX_CHARS) return text
  return `${text.slice(0, KEPT_CHARS)}\0${hash('sha256', text, 'base64url')}`
}

/** Whether a text in a slot stands for a longer one. */
export const isShortened = (text: string): boolean => text.length === KEPT_CHARS + 44 && text[KEPT_CHARS] === '\0'

/** The comparable value of a declared field. */
export function slotValue(kind: FieldKind, value: unknown): string | number | bigint | null {
  const comparable = columnValue(kind, value)
  if (typeof comparable === 'string') return slotText(comparable)
  return typeof comparable === 'number' && familyOf(kind) === 'i' ? Math.floor(comparable) : comparable
}
