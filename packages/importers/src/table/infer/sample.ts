import type { ImportInput, ImportOverrides, ImportProblem } from '../../importer.ts'
import type { DescribedTable, TableFormat } from '../row.ts'

/** The first rows of a table. Its plan is made from them. */
export interface TableSample {
  readonly table: string
  /** In the order of first occurrence. */
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** True if the table has no other rows. */
  readonly complete: boolean
  readonly described: DescribedTable | undefined
}

const SAMPLE_ROWS = 5000
const SAMPLE_CHARS = 8_000_000
/** Max. rows skipped while searching for another list in a JSON file. */
const MAX_SKIPPED_ROWS = 2_000_000
/** A stream has max. 500 fields, and a key made from the content needs one of them. */
export const MAX_COLUMNS = 499

interface Growing {
  columns: Set<string>
  rows: Readonly<Record<string, unknown>>[]
  chars: number
  full: boolean
  hasObjects: boolean
}

/** Returns the first rows of every table, and the first problem. */
export async function sampleTables(
  input: ImportInput,
  format: TableFormat,
  overrides: ImportOverrides,
  notice: (text: string) => void,
): Promise<{ samples: TableSample[]; problem: ImportProblem | undefined }> {
  const described = (await format.describe?.(input)) ?? []
  const tables = new Map<string, Growing>()
  const problems: ImportProblem[] = []
  const ended = format.describe
    ? await sampleDescribed(input, format, described, overrides, tables, notice)
    : await fill(format.rows(input, notice, overrides.tables, overrides.header), tables, false, problems)
  const wanted = (table: string) => overrides.tables === undefined || overrides.tables.includes(table)
  const samples = [...tables]
    .filter(([table, { hasObjects }]) => wanted(table) && hasObjects)
    .map(([table, { columns, rows, full }]) => ({
      table,
      columns: [...columns].slice(0, MAX_COLUMNS),
      rows,
      complete: ended && !full,
      described: described.find((known) => known.table === table),
    }))
  return { samples, problem: problems[0] }
}

/** Reads each table of a database separately, so that each has a sample. */
async function sampleDescribed(
  input: ImportInput,
  format: TableFormat,
  described: readonly DescribedTable[],
  { tables: wanted }: ImportOverrides,
  tables: Map<string, Growing>,
  notice: (text: string) => void,
): Promise<boolean> {
  for (const { table, rows } of described) {
    if (rows === 0 || (wanted && !wanted.includes(table))) continue
    await fill(format.rows(input, notice, [table]), tables, true)
  }
  return true
}

async function fill(
  items: ReturnType<TableFormat['rows']>,
  tables: Map<string, Growing>,
  oneTable: boolean,
  problems: ImportProblem[] = [],
): Promise<boolean> {
  let skipped = 0
  for await (const item of items) {
    if ('problem' in item && problems.length === 0) problems.push(item.problem)
    if (!('row' in item)) continue
    const { table, values, isBare = false } = item.row
    const growing = tables.get(table) ?? { columns: new Set(), rows: [], chars: 0, full: false, hasObjects: false }
    tables.set(table, growing)
    growing.hasObjects ||= !isBare && Object.keys(values).length > 0
    if (growing.full) {
      // The file has only this list, so no other table follows.
      if (oneTable || table === '' || ++skipped > MAX_SKIPPED_ROWS) return false
      continue
    }
    if (growing.columns.size < MAX_COLUMNS) for (const column of Object.keys(values)) growing.columns.add(column)
    growing.rows.push(values)
    growing.chars += charsOf(values)
    // Reads one row more than it keeps, to know whether the sample is complete.
    if (growing.rows.length > SAMPLE_ROWS || growing.chars > SAMPLE_CHARS) {
      if (growing.rows.length > 1) growing.rows.pop()
      growing.full = true
    }
  }
  return true
}

function charsOf(values: Readonly<Record<string, unknown>>): number {
  let chars = 0
  for (const value of Object.values(values))
    chars +=
      typeof value === 'string'
        ? value.length
        : value !== null && typeof value === 'object'
          ? JSON.stringify(value).length
          : 8
  return chars
}
