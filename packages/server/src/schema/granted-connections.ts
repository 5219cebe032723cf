import { cost } from './field-page.ts'
import type { SchemaSource, VisibleStream } from './schema-service.ts'

const MAX_LABEL = 60
/** Max. connections that an index lists. The schema of a stream lists the others. */
const MAX_NAMED = 50
/** Max. bytes of the connection names in the schema of one stream. */
const CONNECTION_BYTES = 1_200

export interface GrantedConnection {
  readonly connection_id: string
  readonly display_name?: string
}

/** Lists the connections. If there are too many, lists the first ones and counts all. */
export interface ConnectionMembers {
  readonly connection_count?: number
  readonly granted_connections?: readonly GrantedConnection[]
}

export function connectionsOf(source: SchemaSource, ...streams: readonly VisibleStream[]): GrantedConnection[] {
  const ids = new Set(streams.flatMap(({ scope }) => scope.connections))
  return source.named
    .filter(({ connectionId }) => ids.has(connectionId))
    .map(({ connectionId, displayName }) => ({
      connection_id: connectionId,
      ...(displayName === undefined ? {} : { display_name: shortLabel(displayName) }),
    }))
}

/** Sources whose connections the index lists: those with the fewest first. A single connection is always listed. */
export function namedInIndex(sources: readonly SchemaSource[]): ReadonlySet<SchemaSource> {
  const counted = sources.map((source) => ({ source, count: connectionsOf(source, ...source.streams).length }))
  let left = MAX_NAMED
  const named = counted
    .toSorted((a, b) => a.count - b.count)
    .filter(({ count }) => {
      left -= count
      return left >= 0 || count === 1
    })
  return new Set(named.map(({ source }) => source))
}

/** As many connections as fit into the share of the budget. */
export function boundedConnections(all: readonly GrantedConnection[], share: number): ConnectionMembers {
  let left = CONNECTION_BYTES * share
  const fitting = all.filter((connection, index) => {
    left -= cost(JSON.stringify(connection)) + 1
    return left >= 0 || index === 0
  })
  return { ...(fitting.length < all.length ? { connection_count: all.length } : {}), granted_connections: fitting }
}

/** Cuts a label and marks the cut. */
export function shortLabel(text: string): string {
  const chars = [...text]
  return chars.length > MAX_LABEL ? `${chars.slice(0, MAX_LABEL - 1).join('')}…` : text
}
