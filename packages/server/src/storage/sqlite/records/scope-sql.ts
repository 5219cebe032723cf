import type { ReadScope } from '../../../grants/read-scope.ts'
import type { FieldCondition, FilterOperator } from '../../../records/filter.ts'
import { fieldOf, type Layout } from '../../records/layout.ts'
import { timeColumn } from './feeds.ts'

export interface Condition {
  readonly sql: string
  readonly values: readonly (string | number | bigint)[]
}

/** The grant's limits on single records (time, resources), as SQL over the alias `r`. */
export function recordConditions(scope: ReadScope, layout: Layout): Condition[] {
  const conditions: Condition[] = []
  if (scope.time) conditions.push(grantedTime(scope, layout))
  if (scope.resources) conditions.push(resourceCondition(scope.resources, 'r.key'))
  return conditions
}

const OPERATORS: Record<FilterOperator, string> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** A request's filter, over the alias `r`. A text field without a column is read from the JSON. */
export function filterConditions(conditions: readonly FieldCondition[], layout: Layout): Condition[] {
  return conditions.map(({ field, operator, value }) => {
    const column = fieldOf(layout, field)?.column
    if (column !== undefined) return { sql: `r.${column} ${OPERATORS[operator]} ?`, values: [value] }
    return { sql: `json_extract(r.data, ?) ${OPERATORS[operator]} ?`, values: [jsonPath(field), value] }
  })
}

/** Quotes and backslashes in a name are escaped in a path as in JSON. */
export const jsonPath = (field: string): string => `$.${JSON.stringify(field)}`

/** The same limits for a record as it was before it left, over an alias of `tombstone`. */
export function tombstoneConditions(scope: ReadScope, alias: string): Condition[] {
  const conditions: Condition[] = []
  if (scope.time) conditions.push(timeCondition(scope, `${alias}.time`))
  if (scope.resources) conditions.push(resourceCondition(scope.resources, `${alias}.key`))
  return conditions
}

/** If the grant's time field is no longer declared, no record can be proved to be inside its limit. */
function grantedTime(scope: ReadScope, layout: Layout): Condition {
  const column = timeColumn(scope, layout)
  return column === undefined ? { sql: '0', values: [] } : timeCondition(scope, `r.${column}`)
}

/** A record without a time is outside every limit, because comparing with null is not true. */
function timeCondition(scope: ReadScope, column: string): Condition {
  const { since, until } = scope.time!
  const bounds = [
    since === undefined ? `${column} is not null` : `${column} >= ?`,
    ...(until === undefined ? [] : [`${column} < ?`]),
  ]
  return { sql: bounds.join(' and '), values: [since, until].filter((value) => value !== undefined) }
}

function resourceCondition(resources: readonly string[], column: string): Condition {
  return { sql: `${column} in (select value from json_each(?))`, values: [JSON.stringify(resources)] }
}

export function joinConditions(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' and ') || '1',
    values: conditions.flatMap(({ values }) => values),
  }
}
