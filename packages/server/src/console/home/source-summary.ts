import type { SchemaSource } from '../../schema/schema-service.ts'
import { freshness } from '../../schema/schema-service.ts'
import { monthSpan } from '../frame/dates.ts'
import { type Kind, kindOf } from '../frame/kind.ts'

/** One source as the owner sees it. */
export interface SourceSummary {
  readonly name: string
  /** The service that the source comes from, such as "Calendar". */
  readonly service: string
  readonly connectionId: string
  readonly kind: Kind
  readonly total: number
  readonly span: string | undefined
  readonly changedAt: number | undefined
  /** True if the last attempt to read it failed. */
  readonly isStale: boolean
  readonly parts: readonly { readonly name: string; readonly kind: Kind; readonly count: number }[]
}

/** All sources, the largest first. */
export function summariesOf(sources: readonly SchemaSource[]): SourceSummary[] {
  return sources.flatMap(summariesOfOne).sort((a, b) => b.total - a.total)
}

function summariesOfOne({ declaration, named, streams }: SchemaSource): SourceSummary[] {
  const service = declaration.display?.name ?? declaration.connector_key
  return named.map(({ connectionId, displayName }) => {
    const statistics = streams.flatMap((stream) => stream.statistics.filter((one) => one.connectionId === connectionId))
    const times = statistics.flatMap(({ earliest, latest }) => [earliest, latest]).filter((time) => time !== undefined)
    const captured = statistics.map((one) => one.capturedAt).filter((at) => at !== undefined)
    const parts = streams
      .map((stream) => ({
        name: stream.declaration.name,
        kind: kindOf(stream.declaration.name, `${declaration.connector_key} ${service}`),
        count: stream.statistics.find((entry) => entry.connectionId === connectionId)?.count ?? 0,
      }))
      .sort((a, b) => b.count - a.count)
    return {
      name: displayName ?? (named.length === 1 ? service : connectionId),
      service,
      connectionId,
      kind: parts[0]?.kind ?? 'file',
      total: parts.reduce((sum, part) => sum + part.count, 0),
      span: times.length === 0 ? undefined : monthSpan(Math.min(...times) / 1000, Math.max(...times) / 1000),
      changedAt: captured.length === 0 ? undefined : Math.max(...captured),
      isStale: freshness(statistics).status === 'stale',
      parts,
    }
  })
}

/** Number of items of each kind, the largest first. */
export function countsByKind(sources: readonly SourceSummary[]): { readonly kind: Kind; readonly count: number }[] {
  const byKind = Map.groupBy(
    sources.flatMap(({ parts }) => parts),
    ({ kind }) => kind,
  )
  return [...byKind]
    .map(([kind, parts]) => ({ kind, count: parts.reduce((sum, part) => sum + part.count, 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
}
