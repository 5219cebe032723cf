import { PdppError } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import type { RequestSignal } from '../../lib/request-signal.ts'
import type { PageQuery, PositionedRecord, RecordReader } from '../record-store.ts'
import type { Neighbourhood } from './page-cursor.ts'

export interface Neighbours {
  readonly rows: readonly PositionedRecord[]
  readonly anchor: number
  readonly hasMore: boolean
  readonly hasPrevious: boolean
}

/** Finds the connection of a record, and its conversation, thread or album if the source declares one. */
export async function locate(records: RecordReader, scope: ReadScope, key: string, sort: string | undefined) {
  const { group_field: group } = scope.stream.query ?? {}
  const groupField = group !== undefined && includesField(scope.usable, group) ? group : undefined
  const positions = await records.locate(scope, { key, sort, groupField })
  if (positions.length === 0)
    throw new PdppError('not_found', 'There is no such record for this token.', { param: 'around' })
  const within = ({ connectionId, group: value }: (typeof positions)[number]): Neighbourhood => ({
    connectionId,
    group: groupField === undefined || value === null ? undefined : { field: groupField, operator: 'eq', value },
  })
  return positions.map((at) => ({ connectionId: at.connectionId, position: at.position, within: within(at) }))
}

/** The same order, read from the other end. */
export function inverse({ order }: Pick<PageQuery, 'order'>): Pick<PageQuery, 'order' | 'nulls'> {
  return { order: order === 'asc' ? 'desc' : 'asc', nulls: 'first' }
}

/** Returns the record with its neighbours. If one side has too few, the other side gets more. */
export async function readNeighbours(
  records: RecordReader,
  scope: ReadScope,
  query: PageQuery,
  centre: PositionedRecord,
  signal?: RequestSignal,
): Promise<Neighbours> {
  const rest = query.limit - 1
  const around = { ...query, after: centre.position, limit: Math.max(rest, 1) }
  const [before, after] = await Promise.all([
    records.page(scope, { ...around, ...inverse(query) }, signal),
    records.page(scope, around, signal),
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
