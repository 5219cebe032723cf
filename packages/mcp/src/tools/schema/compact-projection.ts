import { type FieldFacts, FLAG_LEGEND, flagString } from '@pdpp/protocol/reading'
import type { Arguments } from '../../calling/arguments.ts'
import { type JsonObject, objectOf, objectsOf } from '../../resource-server/envelope.ts'

const INDEX_MEMBERS = [
  'name',
  'connector_key',
  'connector_id',
  'display_name',
  'connection_display_name',
  'connection_id',
  'record_count',
] as const
const STREAM_MEMBERS = [
  'semantics',
  'primary_key',
  'cursor_field',
  'consent_time_field',
  'time_span',
  'freshness',
] as const

/**
 * Builds the answer of `view=compact` from a full schema: flags instead of facts, connections once per connector, only
 * the requested stream and connection, and details of fields only if one stream was requested.
 */
export function projectCompact(body: JsonObject, args: Arguments): JsonObject {
  const document = body['connectors'] === undefined ? objectOf(body['data']) : body
  const listed = objectsOf(document['connectors'])
  const connectors = listed
    .map((connector) => compactConnector(connector, args))
    .filter(({ streams }) => streams.length > 0)
  return {
    object: 'schema',
    detail: 'compact',
    ...(document['bearer'] === undefined ? {} : { bearer: document['bearer'] }),
    ...(body['meta'] === undefined ? {} : { meta: body['meta'] }),
    connector_count: connectors.length,
    stream_count: connectors.reduce((sum, { streams }) => sum + streams.length, 0),
    ...(args['stream'] === undefined ? {} : { field_capability_legend: FLAG_LEGEND }),
    connectors,
  }
}

function compactConnector(connector: JsonObject, args: Arguments) {
  const rows = objectsOf(connector['streams'])
    .filter((row) => args['stream'] === undefined || row['name'] === args['stream'])
    .map((row) => ({ row, connections: connectionsOf(row, connector, args) }))
    .filter(({ connections }) => args['connection_id'] === undefined || connections.length > 0)
  const shared = commonest(rows.map(({ connections }) => JSON.stringify(connections)))
  return {
    ...picked(connector, ['connector_key', 'connector_id', 'display_name']),
    granted_connections: JSON.parse(shared) as unknown,
    streams: rows.map(({ row, connections }) => ({
      ...picked(row, INDEX_MEMBERS),
      ...(JSON.stringify(connections) === shared ? {} : { granted_connections: connections }),
      ...(args['stream'] === undefined ? {} : detail(row)),
    })),
  }
}

function detail(row: JsonObject): JsonObject {
  const fields = Object.entries(objectOf(row['field_capabilities']))
  return {
    ...picked(row, STREAM_MEMBERS),
    field_capabilities: Object.fromEntries(
      fields.map(([name, facts]) => [name, typeof facts === 'string' ? facts : flagString(facts as FieldFacts)]),
    ),
    ...(Array.isArray(row['views']) && row['views'].length > 0 ? { views: row['views'] } : {}),
    expand_capabilities: row['expand_capabilities'] ?? [],
  }
}

function connectionsOf(row: JsonObject, connector: JsonObject, args: Arguments): JsonObject[] {
  const listed = row['granted_connections'] ?? connector['granted_connections']
  const connections = objectsOf(listed).map((entry) => picked(entry, ['connection_id', 'display_name']))
  const wanted = args['connection_id']
  return wanted === undefined ? connections : connections.filter((entry) => entry['connection_id'] === wanted)
}

function picked(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]))
}

function commonest(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '[]'
}
