// FTS5 MATCH expressions. Only analysed terms come in here, each as a quoted token: no text that somebody typed
// ever reaches the grammar.
import type { QueryPhrase } from '../query/query.ts'

// Beyond plain letters and digits, any non-ASCII character: what the `ascii` tokenizer of the index keeps together.
const TERM = /^[a-z0-9\u0080-\uffff]+$/
const COLUMN = /^[a-z][a-z0-9_]*$/

export const matchTerm = (term: string): string => quoted([term])
export const matchPrefix = (term: string): string => `${quoted([term])} *`
export const matchPhrase = ({ terms, isPrefix }: QueryPhrase): string => quoted(terms) + (isPrefix ? ' *' : '')

export function matchAll(expressions: readonly string[]): string {
  return joined(expressions, 'AND')
}

export function matchAny(expressions: readonly string[]): string {
  return joined(expressions, 'OR')
}

export function matchWithout(expression: string, excluded: readonly string[]): string {
  return excluded.length === 0 ? expression : `(${expression} NOT ${matchAny(excluded)})`
}

/** The expression within these columns. Applied again inside, the narrower of the two holds. */
export function matchIn(columns: readonly string[], expression: string): string {
  if (columns.length === 0) throw new TypeError('a match needs at least one column')
  for (const column of columns) if (!COLUMN.test(column)) throw new TypeError(`not a column of ours: ${column}`)
  return `({${columns.join(' ')}} : ${expression.startsWith('(') ? expression : `(${expression})`})`
}

function joined(expressions: readonly string[], operator: 'AND' | 'OR'): string {
  if (expressions.length === 0) throw new TypeError(`${operator} of nothing`)
  return expressions.length === 1 ? expressions[0]! : `(${expressions.join(` ${operator} `)})`
}

function quoted(terms: readonly string[]): string {
  for (const term of terms) if (!TERM.test(term)) throw new TypeError('not an analysed term')
  return `"${terms.join(' ')}"`
}
