import { databaseRefusal, isDatabase, openDatabase, type ReadDatabase } from '../../reading/database.ts'
import { Binary } from '../../table/infer/values.ts'
import type { DescribedTable, RowItem, TableFormat } from '../../table/row.ts'

const ROWS_PER_TURN = 500

interface TableInfo {
  name: string
  type: string
}

export const sqliteTables: TableFormat = {
  id: 'sqlite',
  textual: false,

  matches: (_input, { bytes }) => isDatabase(bytes),

  async describe(input) {
    const database = await openDatabase(input)
    try {
      return tablesOf(database)
    } catch (error) {
      throw databaseRefusal(input, error)
    } finally {
      database.close()
    }
  },

  async *rows(input, _notice, tables) {
    const database = await openDatabase(input)
    try {
      for (const { table } of tablesOf(database)) {
        if (tables === undefined || tables.includes(table)) yield* tableRows(database, table, input.name)
      }
    } finally {
      database.close()
    }
  },
}

async function* tableRows(database: ReadDatabase, table: string, input: string): AsyncIterable<RowItem> {
  const statement = database.prepare(`select * from ${quoted(table)}`).safeIntegers(true)
  let row = 0
  try {
    for (const found of statement.iterate() as Iterable<Record<string, unknown>>) {
      row++
      const values = Object.fromEntries(Object.entries(found).map(([name, value]) => [name, plain(value)]))
      yield { row: { table, row, values } }
      if (row % ROWS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  } catch (error) {
    const reason = `the database cannot be read further: ${(error as Error).message.slice(0, 120)}`
    yield { problem: { place: { input, table, row: row + 1 }, reason, kept: false } }
  }
}

/** Keeps every digit of integers, and turns bytes into base64. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : JSON.rawJSON(value.toString())
  return value instanceof Uint8Array ? new Binary(Buffer.from(value).toString('base64')) : value
}

function tablesOf(database: ReadDatabase): DescribedTable[] {
  const tables = database.pragma('table_list') as (TableInfo & { schema: string })[]
  return tables
    .filter(({ name, type, schema }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_'))
    .map(({ name }) => ({ table: name, key: keyOf(database, name), rows: rowCount(database, name) }))
    .toSorted((a, b) => (a.table < b.table ? -1 : 1))
}

function keyOf(database: ReadDatabase, table: string): string[] | undefined {
  const columns = database.pragma(`table_info(${quoted(table)})`) as { name: string; pk: number }[]
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
  return key.length === 0 ? undefined : key.map(({ name }) => name)
}

function rowCount(database: ReadDatabase, table: string): number | undefined {
  try {
    return Number((database.prepare(`select count(*) n from ${quoted(table)}`).get() as { n: number }).n)
  } catch {
    return
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
