import type { Contact, ContactValue } from '../../models/person/record.ts'
import { readTime, type TimeForm } from '../../reading/times.ts'

/** Outlook writes this for a missing date. */
const NO_DATE = '0/0/00'

/** A row by its columns. `take` removes the cells that it returns, and the remaining ones are kept as details. */
export class ContactRow {
  /** By lower-case column name, together with the name as written. */
  readonly #cells = new Map<string, { readonly column: string; readonly value: string }>()

  constructor(values: Readonly<Record<string, unknown>>) {
    for (const [column, cell] of Object.entries(values)) {
      const value = String(cell ?? '')
        .replaceAll('\u0000', '')
        .replaceAll('\r\n', '\n')
        .toWellFormed()
        .trim()
      if (value !== '' && value !== NO_DATE)
        this.#cells.set(column.trim().toLowerCase(), { column: column.trim(), value })
    }
  }

  get isEmpty(): boolean {
    return this.#cells.size === 0
  }

  /** Removes and returns the first of the columns that has a value. */
  take(...columns: readonly string[]): string | undefined {
    const found = columns.map((column) => ({ column, cell: this.#cells.get(column) })).find(({ cell }) => cell)
    if (found) this.#cells.delete(found.column)
    return found?.cell?.value
  }

  drop(...columns: readonly string[]): void {
    for (const column of columns) this.#cells.delete(column)
  }

  /** The remaining columns that match. */
  left(pattern: RegExp): string[] {
    return [...this.#cells.keys()].filter((column) => pattern.test(column))
  }

  detail(): Record<string, string> | undefined {
    const rest = [...this.#cells.values()]
    return rest.length === 0 ? undefined : Object.fromEntries(rest.map(({ column, value }) => [column, value]))
  }
}

/** YYYY-MM-DD, or --MM-DD. The language decides the order of day and month, unless one of the numbers exceeds 12. */
export function birthdayOf(text: string | undefined, order: 'dmy' | 'mdy'): string | undefined {
  const yearless = /^--(\d\d)-?(\d\d)$/.exec(text ?? '')
  if (yearless) return `--${yearless[1]}-${yearless[2]}`
  const forms: TimeForm[] = ['ymd', order, order === 'dmy' ? 'mdy' : 'dmy']
  for (const form of forms) {
    const read = readTime(form, text ?? '')
    if (read?.isDate) return read.text
  }
  return
}

export const spaced = (...parts: readonly (string | undefined)[]): string | undefined =>
  parts.filter((part) => part !== undefined).join(' ') || undefined

export const lined = (...parts: readonly (string | undefined)[]): string | undefined =>
  parts
    .filter((part) => part !== undefined)
    .map((part) => part.replace(/,?\s*\n\s*/g, ', '))
    .join(', ') || undefined

export const valueList = (...all: readonly (ContactValue | undefined)[]): ContactValue[] =>
  all.filter((each) => each !== undefined)

export type ContactParts = Omit<Contact, 'id'>
