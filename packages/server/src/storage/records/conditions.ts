import { declaredFields, isTime } from '@pdpp/protocol/reading'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { FilterOperator } from '../../records/filter.ts'
import { fieldOf, type Layout } from './layout.ts'

/** SQL with a question mark for each value. */
export interface Condition {
  readonly sql: string
  readonly values: readonly (string | number | bigint)[]
}

export const OPERATORS: Record<FilterOperator, string> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** A record without a time is outside every limit, because comparing with null is not true. */
export function timeCondition(scope: ReadScope, column: string): Condition {
  const { since, until } = scope.time!
  const bounds = [
    since === undefined ? `${column} is not null` : `${column} >= ?`,
    ...(until === undefined ? [] : [`${column} < ?`]),
  ]
  return { sql: bounds.join(' and '), values: [since, until].filter((value) => value !== undefined) }
}

export function joinConditions(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' and ') || 'true',
    values: conditions.flatMap(({ values }) => values),
  }
}

function timeColumn({ time, stream }: ReadScope, layout: Layout): string | undefined {
  const kind = time && declaredFields(stream).get(time.field)
  return kind && isTime(kind) ? fieldOf(layout, time!.field)?.column : undefined
}

/** If the grant's time field is no longer declared, no record can be proved to be inside its limit. */
export function grantedTime(scope: ReadScope, layout: Layout): Condition {
  const column = timeColumn(scope, layout)
  return column === undefined ? { sql: 'false', values: [] } : timeCondition(scope, `r.${column}`)
}
