import type { ImportInput, ImportProblem } from '../importer.ts'

/** One row as its file has it: texts of a CSV file, values of a JSON object or of a database. */
export interface Row {
  readonly table: string
  readonly row: number
  readonly line?: number | undefined
  readonly values: Readonly<Record<string, unknown>>
}

export type RowItem = { readonly row: Row } | { readonly problem: ImportProblem }

/** A table that the file itself describes; other files show only their rows. */
export interface DescribedTable {
  readonly table: string
  readonly key?: readonly string[] | undefined
  readonly rows?: number | undefined
}

/** One way of writing tables into a file. */
export interface TableFormat {
  readonly id: string
  /** Whether every value is a text, so that numbers and empty cells have to be recognised. */
  readonly textual: boolean
  /** `head` is decoded where the input is text. */
  matches(input: ImportInput, head: Head): boolean
  describe?(input: ImportInput): Promise<readonly DescribedTable[]>
  /** `tables` are those that are wanted; all when undefined. */
  rows(input: ImportInput, notice: (text: string) => void, tables?: readonly string[]): AsyncIterable<RowItem>
}

export interface Head {
  readonly bytes: Buffer
  /** Undefined where the bytes are no text. */
  readonly text: string | undefined
  /** The input has no more than this. */
  readonly whole: boolean
}

/** No row may be larger: the server takes none that is. */
export const MAX_ROW_CHARS = 16_000_000
