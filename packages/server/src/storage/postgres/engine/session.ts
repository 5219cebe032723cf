import type pg from 'pg'
import { toParameter } from './pg-values.ts'
import type { Statements } from './statement.ts'

export type Row = Record<string, unknown>

/** Runs a statement on one connection, or on any. */
export type Run = (query: pg.QueryConfig) => Promise<pg.QueryResult>

/**
 * Statements with `?` or `@name` for values. The statements of a transaction run one after another on its connection,
 * in the order of the calls. A call need not wait for the answer to the previous one. If one fails, the database
 * refuses all that follow.
 */
export class Session {
  readonly #run: Run
  readonly #statements: Statements

  constructor(run: Run, statements: Statements) {
    this.#run = run
    this.#statements = statements
  }

  async get<T = Row>(sql: string, ...values: unknown[]): Promise<T | undefined> {
    return (await this.#query(sql, values)).rows[0]
  }

  async all<T = Row>(sql: string, ...values: unknown[]): Promise<T[]> {
    return (await this.#query(sql, values)).rows
  }

  /** The first column of every row. */
  async column<T>(sql: string, ...values: unknown[]): Promise<T[]> {
    const { rows, fields } = await this.#query(sql, values)
    const name = fields[0]?.name ?? ''
    return rows.map((row) => row[name])
  }

  /** Returns the number of written rows. */
  async run(sql: string, ...values: unknown[]): Promise<number> {
    return (await this.#query(sql, values)).rowCount ?? 0
  }

  #query(sql: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const statement = this.#statements.of(sql)
    const { names } = statement
    const ordered = names ? names.map((name) => (values[0] as Row)[name]) : values
    return this.#run({
      text: statement.text,
      values: ordered.map((value, at) => toParameter(value, statement.lists[at])),
      ...(statement.name === undefined ? {} : { name: statement.name }),
    })
  }
}
