import type { ReadScope } from '../../../grants/read-scope.ts'
import type { FieldCondition } from '../../../records/filter.ts'
import { type Condition, grantedTime, OPERATORS, timeCondition } from '../../records/conditions.ts'
import { fieldOf, type Layout } from '../../records/layout.ts'
import { slotText } from './slots.ts'

/** The grant's limits on single records (time, resources), as SQL over the alias `r`. */
export function recordConditions(scope: ReadScope, layout: Layout): Condition[] {
  const conditions: Condition[] = []
  if (scope.time) conditions.push(grantedTime(scope, layout))
  if (scope.resources) conditions.push(resourceCondition(scope.resources, 'r.key'))
  return conditions
}

/** A request's filter, over the alias `r`. Every declared scalar has a column. */
export function filterConditions(conditions: readonly FieldCondition[], layout: Layout): Condition[] {
  return conditions.map(({ field, operator, value }) => {
    const column = fieldOf(layout, field)?.column
    if (column === undefined) return { sql: 'false', values: [] }
    return { sql: `r.${column} ${OPERATORS[operator]} ?`, values: [comparable(value)] }
  })
}

const comparable = (value: FieldCondition['value']) => (typeof value === 'string' ? slotText(value) : value)

/** The same limits for a record as it was before it left, over an alias of `tombstone`. */
export function tombstoneConditions(scope: ReadScope, alias: string): Condition[] {
  const conditions: Condition[] = []
  if (scope.time) conditions.push(timeCondition(scope, `${alias}.time`))
  if (scope.resources) conditions.push(resourceCondition(scope.resources, `${alias}.key`))
  return conditions
}

function resourceCondition(resources: readonly string[], column: string): Condition {
  return { sql: `${column} = any(?::text[])`, values: [resources as unknown as string] }
}
