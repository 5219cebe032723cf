import type { Authority } from '../grants/authority.ts'
import { cost } from './field-page.ts'
import { type ConnectionMembers, connectionsOf, namedInIndex, shortLabel } from './granted-connections.ts'
import { bearer, memberGrant } from './schema-document.ts'
import { type SchemaSource, totals } from './schema-service.ts'

/**
 * Max. bytes of the document alone, and of the document with its text form. Both leave room for the rest of the answer.
 */
const DOCUMENT_BYTES = 9_600
const INDEX_BYTES = 15_400
/** Above this size the index drops the members that only some clients need. About 4,500 bytes for 40 streams. */
const comfortableBytes = (streams: number): number => Math.max(4_500, Math.min(INDEX_BYTES, 1_900 + 65 * streams))

interface Extent {
  /** Adds members that readers do not need, but that clients of other servers expect. */
  readonly compatible: boolean
  readonly counted: boolean
}

const EXTENTS: readonly Extent[] = [
  { compatible: true, counted: true },
  { compatible: false, counted: true },
]

/** Lists everything that the token can read by name (000.5). Long indexes drop details, but never names. */
export function schemaIndex(authority: Authority, sources: readonly SchemaSource[]) {
  for (const extent of EXTENTS) {
    const index = indexOf(authority, sources, extent)
    const bytes = cost(JSON.stringify(index))
    const whole = bytes + index.connectors.reduce((sum, connector) => sum + textBytes(connector), 0)
    const maxBytes = extent.compatible ? comfortableBytes(index.stream_count) : INDEX_BYTES
    if (bytes <= DOCUMENT_BYTES && whole <= maxBytes) return index
  }
  return indexOf(authority, sources, { compatible: false, counted: false })
}

function indexOf(authority: Authority, sources: readonly SchemaSource[], extent: Extent) {
  const named = namedInIndex(sources)
  return {
    object: 'schema',
    detail: 'compact',
    bearer: bearer(authority),
    connector_count: sources.length,
    stream_count: sources.reduce((sum, { streams }) => sum + streams.length, 0),
    ...(extent.counted ? {} : { record_counts_left_out: true }),
    connectors: sources.map((source) => ({
      ...(extent.compatible ? { object: 'connector' } : {}),
      ...memberGrant(authority, source.authority),
      ...indexRow(source, named.has(source), extent),
    })),
  }
}

function indexRow(source: SchemaSource, named: boolean, { compatible, counted }: Extent) {
  const lists = source.streams.map((stream) => JSON.stringify(connectionsOf(source, stream)))
  const shared = commonest(lists)
  const members = (list: string): ConnectionMembers => {
    const connections = JSON.parse(list)
    return named ? { granted_connections: connections } : { connection_count: connections.length }
  }
  return {
    connector_key: source.declaration.connector_key,
    display_name: shortLabel(source.declaration.display.name),
    ...(compatible ? { source: source.declaration.source, stream_count: source.streams.length } : {}),
    ...members(shared),
    streams: source.streams.map(({ declaration, statistics }, index) => ({
      name: declaration.name,
      ...(counted ? { record_count: totals(statistics).count } : {}),
      ...(lists[index] === shared ? {} : members(lists[index]!)),
    })),
  }
}

/** Estimated size of one source as a line of text. */
function textBytes({ streams, granted_connections = [] }: ReturnType<typeof indexRow>): number {
  const numbers = ({ record_count = 0 }: { record_count?: number }) => String(record_count).length * 1.3 + 3
  return (
    streams.reduce((sum, stream) => sum + cost(stream.name) + numbers(stream), 0) +
    cost(JSON.stringify(granted_connections)) / 2 +
    cost(JSON.stringify(streams.flatMap((stream) => stream.granted_connections ?? []))) / 2 +
    100
  )
}

function commonest(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '[]'
}
