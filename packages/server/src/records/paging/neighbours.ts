import { PdppError } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import type { PageQuery, PositionedRecord, RecordReader } from '../record-store.ts'
import type { Neighbourhood } from './page-cursor.ts'

export interface Neighbours {
  readonly rows: readonly PositionedRecord[]
  readonly anchor: number
  readonly hasMore: boolean
  readonly hasPrevious: boolean
}

/** Where a record stands: its connection, and the conversation, thread or album it belongs to where one is declared. */
export async function locate(records: RecordReader, scope: ReadScope, key: string, sort: string | undefined) {
  const { group_field: group } = scope.stream.query ?? {}
  const groupField = group !== undefined && includesField(scope.usable, group) ? group : undefined
  const places = await records.locate(scope, { key, sort, groupField })
  if (places.length === 0)
    throw new PdppError('not_found', 'There is no such record for this token.', { param: 'around' })
  const within = ({ connectionId, group: value }: (typeof places)[number]): Neighbourhood => ({
    connectionId,
    group: groupField === undefined || value === null ? undefined : { field: groupField, operator: 'eq', value },
  })
  return places.map((place) => ({ connectionId: place.connectionId, position: place.position, within: within(place) }))
}

/** The same walk from its other end. */
export function inverse({ order }: Pick<PageQuery, 'order'>): Pick<PageQuery, 'order' | 'nulls'> {
  return { order: order === 'asc' ? 'desc' : 'asc', nulls: 'first' }
}

/** The record with those before and after it. What one side lacks, the other may use. */
export async function readNeighbours(
  records: RecordReader,
  scope: ReadScope,
  query: PageQuery,
  centre: PositionedRecord,
): Promise<Neighbours> {
  const rest = query.limit - 1
  const around = { ...query, after: centre.position, limit: Math.max(rest, 1) }
  const [before, after] = await Promise.all([
    records.page(scope, { ...around, ...inverse(query) }),
    records.page(scope, around),
  ])
  const half = Math.floor(rest / 2)
  const afterCount = Math.min(after.records.length, Math.max(rest - half, rest - before.records.length), rest)
  const beforeCount = Math.min(before.records.length, rest - afterCount)
  return {
    rows: [...before.records.slice(0, beforeCount).toReversed(), centre, ...after.records.slice(0, afterCount)],
    anchor: beforeCount,
    hasMore: after.hasMore || after.records.length > afterCount,
    hasPrevious: before.hasMore || before.records.length > beforeCount,
  }
}
