import { grouped, type JsonObject, objectsOf, shortTime, textOf } from '@pdpp/mcp-server/client'
import { oneLine } from '../terminal/output.ts'

/** Describes what a token can read, with one line per source. `schema` is the compact schema. */
export function reachText(schema: JsonObject): string[] {
  return objectsOf(schema['connectors']).map((connector) => {
    const name = textOf(connector['display_name']) ?? textOf(connector['connector_key']) ?? 'Source'
    const connections = objectsOf(connector['granted_connections']).map(
      (each) => textOf(each['display_name']) ?? String(each['connection_id']),
    )
    const streams = objectsOf(connector['streams']).map((stream) =>
      typeof stream['record_count'] === 'number'
        ? `${stream['name']} (${grouped(stream['record_count'])})`
        : String(stream['name']),
    )
    // Do not repeat the name if the only connection is called like its source.
    const others = connections.length === 1 && connections[0] === name ? [] : connections
    const from = others.length === 0 ? '' : ` from ${others.join(', ')}`
    return oneLine(`${name}${from}: ${streams.join(', ')}`)
  })
}

/** Returns the same as `reachText`, as data for `--json`. */
export function reach(schema: JsonObject) {
  return objectsOf(schema['connectors']).map((connector) => ({
    connector_key: connector['connector_key'] ?? connector['connector_id'],
    connections: objectsOf(connector['granted_connections']).map((each) => each['connection_id']),
    streams: objectsOf(connector['streams']).map((stream) => stream['name']),
  }))
}

/** Says how long the access lasts. A token that is refreshed does not know when the access ends. */
export function untilText(credential: { expires_at?: string | null; refresh_token?: string | null }): string {
  if (credential.refresh_token) return 'as long as the owner allows it (the token is renewed automatically)'
  const end = credential.expires_at
  if (typeof end !== 'string') return 'until the owner revokes it'
  return Date.parse(end) <= Date.now() ? `expired ${shortTime(end)}` : `until ${shortTime(end)}`
}
