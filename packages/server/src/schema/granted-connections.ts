import { cost } from './field-page.ts'
import type { SchemaSource, VisibleStream } from './schema-service.ts'

const MAX_LABEL = 60
/** An index names no more connections than this one by one; schemas of single streams say which there are. */
const MAX_NAMED = 50
/** What the names of the connections may take in the schema of one stream. */
const CONNECTION_BYTES = 1_200

export interface GrantedConnection {
  readonly connection_id: string
  readonly display_name?: string
}

/** Named, or where they are too many, counted: then the named ones are the first of them. */
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

/** Sources whose connections the index names. Those with few come first; a single one is always named. */
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

/** As many as fit into a share of the room. */
export function boundedConnections(all: readonly GrantedConnection[], share: number): ConnectionMembers {
  let left = CONNECTION_BYTES * share
  const shown = all.filter((connection, index) => {
    left -= cost(JSON.stringify(connection)) + 1
    return left >= 0 || index === 0
  })
  return { ...(shown.length < all.length ? { connection_count: all.length } : {}), granted_connections: shown }
}

/** Labels are cut where it can be seen. */
export function shortLabel(text: string): string {
  const chars = [...text]
  return chars.length > MAX_LABEL ? `${chars.slice(0, MAX_LABEL - 1).join('')}…` : text
}
