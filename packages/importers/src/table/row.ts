import type { ImportInput, ImportProblem, InputHead } from '../importer.ts'

/** One row as it is in its file: texts from a CSV file, or values from a JSON object or a database. */
export interface Row {
  readonly table: string
  readonly row: number
  readonly line?: number | undefined
  readonly values: Readonly<Record<string, unknown>>
  /** True for a list element that is not an object. If a list has only such elements, it is not a table. */
  readonly isBare?: boolean | undefined
}

export type RowItem = { readonly row: Row } | { readonly problem: ImportProblem }

/** A table that the file itself describes, as in a database. */
export interface DescribedTable {
  readonly table: string
  readonly key?: readonly string[] | undefined
  readonly rows?: number | undefined
}

/** One file format for tables. */
export interface TableFormat {
  readonly id: string
  /** True if every value is a text, so that numbers and empty cells have to be recognised. */
  readonly textual: boolean
  /** `head` has text if the input is text. */
  matches(input: ImportInput, head: InputHead): boolean
  describe?(input: ImportInput): Promise<readonly DescribedTable[]>
  /**
   * Yields the rows of `tables`, or of all tables if undefined. `header`: whether the first row of a text has column
   * names.
   */
  rows(
    input: ImportInput,
    notice: (text: string) => void,
    tables?: readonly string[],
    header?: boolean,
  ): AsyncIterable<RowItem>
}

/** Max. characters of a row. The server refuses larger records. */
export const MAX_ROW_CHARS = 16_000_000
