import type { ReadDatabase } from './database.ts'

/** A row of another program's database. Integers keep every digit. */
export type DatabaseRow = Readonly<Record<string, Cell>>
type Cell = string | number | bigint | Uint8Array | null

/** The columns for a SELECT, with NULL for those that this version of the database lacks. */
export function columnsOf(database: ReadDatabase, table: string, columns: readonly string[]): string {
  const names = new Set((database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name))
  return columns
    .map((name) => (name === 'ROWID' || names.has(name) ? `${table}.${name} AS ${name}` : `NULL AS ${name}`))
    .join(', ')
}

export function tablesOf(database: ReadDatabase): Set<string> {
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[]
  return new Set(tables.map(({ name }) => name))
}

type RowStatement = ReturnType<typeof prepared>

const prepared = (database: ReadDatabase, sql: string) =>
  database.prepare<bigint[], DatabaseRow>(sql).safeIntegers(true)

/**
 * Prepared statements by their SQL. Each holds memory until it is collected, and reading a chat runs one for every
 * message.
 */
const statements = new WeakMap<ReadDatabase, Map<string, RowStatement>>()

export function rowsOf(database: ReadDatabase, sql: string, ...values: bigint[]): Iterable<DatabaseRow> {
  const known = statements.get(database) ?? new Map<string, RowStatement>()
  statements.set(database, known)
  const statement = known.get(sql) ?? prepared(database, sql)
  known.set(sql, statement)
  // A statement serves one reader at a time.
  return (statement.busy ? prepared(database, sql) : statement).iterate(...values)
}

/** A cell of the wrong type counts as empty, because SQLite stores any type in any column. */
export const textCell = (value: Cell | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const integerCell = (value: Cell | undefined): number => (typeof value === 'bigint' ? Number(value) : 0)

export const bytesCell = (value: Cell | undefined): Uint8Array | undefined =>
  value instanceof Uint8Array ? value : undefined
