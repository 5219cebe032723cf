import type { SearchedStream } from '../../../search/search-store.ts'
import { fieldOf } from '../records/layout.ts'
import type { RecordRows } from '../records/record-rows.ts'
import type { Limit } from '../records/record-set.ts'
import { filterConditions, recordConditions } from '../records/scope-sql.ts'

/** The conditions on single records in a search: the grant's limits and the request's filter. */
export function limitsOf({ scope, conditions }: SearchedStream, { table }: RecordRows): Limit[] {
  const { layout } = table
  const isIndexed = (field: string) => fieldOf(layout, field)?.indexed === true
  // A grant limits times and keys, which always have an index.
  const granted = recordConditions(scope, layout).map((limit) => ({ ...limit, isIndexed: true }))
  const requested = filterConditions(conditions, layout)
  return [...granted, ...requested.map((limit, at) => ({ ...limit, isIndexed: isIndexed(conditions[at]!.field) }))]
}
