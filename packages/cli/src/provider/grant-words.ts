import { grouped, objectOf, shortTime, textOf } from '@pdpp/mcp-server/client'
import { oneLine } from '../terminal/output.ts'

type Row = Record<string, unknown>
const rows = (value: unknown): Row[] => (Array.isArray(value) ? value.map(objectOf) : [])

/** One line for each source that a token may read, from the compact schema. */
export function reachWords(schema: Row): string[] {
  return rows(schema['connectors']).map((connector) => {
    const name = textOf(connector['display_name']) ?? textOf(connector['connector_key']) ?? 'Source'
    const connections = rows(connector['granted_connections']).map(
      (each) => textOf(each['display_name']) ?? String(each['connection_id']),
    )
    const streams = rows(connector['streams']).map((stream) =>
      typeof stream['record_count'] === 'number'
        ? `${stream['name']} (${grouped(stream['record_count'])})`
        : String(stream['name']),
    )
    // If the only connection has the name of its source, name it once.
    const others = connections.length === 1 && connections[0] === name ? [] : connections
    const from = others.length === 0 ? '' : ` from ${others.join(', ')}`
    return oneLine(`${name}${from}: ${streams.join(', ')}`)
  })
}

/** The same as data, for `--json`. */
export function reach(schema: Row) {
  return rows(schema['connectors']).map((connector) => ({
    connector_key: connector['connector_key'] ?? connector['connector_id'],
    connections: rows(connector['granted_connections']).map((each) => each['connection_id']),
    streams: rows(connector['streams']).map((stream) => stream['name']),
  }))
}

/** The end of a token that is refreshed does not matter to a person. */
export function untilWords(credential: { expires_at?: string | null; refresh_token?: string | null }): string {
  if (credential.refresh_token) return 'renewed by itself, until the owner ends it'
  const end = credential.expires_at
  if (typeof end !== 'string') return 'until the owner ends it'
  return Date.parse(end) <= Date.now() ? `ended ${shortTime(end)}` : `until ${shortTime(end)}`
}
