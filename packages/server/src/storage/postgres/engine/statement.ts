import { hash } from 'node:crypto'

/** A statement as PostgreSQL wants it: `$1` in place of `?` and `@name`. */
export interface Statement {
  readonly text: string
  /** The names of the values, in order. Undefined if they have none. */
  readonly names: readonly string[] | undefined
  /** Set as soon as preparing the statement is worthwhile. */
  name?: string
  uses: number
}

/** Texts vary with streams and scopes but not with values, so this limit is rarely reached. */
const MAX_KNOWN = 2000
/** Statements that each connection keeps prepared. */
const MAX_PREPARED = 500
const PREPARED_AFTER = 3

export class Statements {
  readonly #prepares: boolean
  readonly #known = new Map<string, Statement>()
  #prepared = 0

  constructor(prepares: boolean) {
    this.#prepares = prepares
  }

  of(sql: string): Statement {
    const known = this.#known.get(sql) ?? this.#keep(sql)
    known.uses++
    if (this.#prepares && known.uses === PREPARED_AFTER && this.#prepared < MAX_PREPARED) {
      this.#prepared++
      known.name = hash('sha256', known.text, 'base64url').slice(0, 40)
    }
    return known
  }

  #keep(sql: string): Statement {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    const statement = { ...translate(sql), uses: 0 }
    this.#known.set(sql, statement)
    return statement
  }
}

function translate(sql: string): Pick<Statement, 'text' | 'names'> {
  const names: string[] = []
  let position = 0
  const text = sql.replaceAll(/\?|@(\w+)/g, (_, name: string | undefined) => {
    if (name === undefined) return `$${++position}`
    const known = names.indexOf(name)
    return `$${known === -1 ? names.push(name) : known + 1}`
  })
  return { text, names: names.length === 0 ? undefined : names }
}
