import { objectOf, textOf } from '../resource-server/envelope.ts'

/** A schema document, compact or full, of this or another implementation, as the texts need it. */
export interface Connector {
  readonly key: string
  readonly name: string | undefined
  readonly connections: readonly ConnectionName[]
  readonly streams: readonly StreamRow[]
}

export interface ConnectionName {
  readonly id: string
  readonly name: string | undefined
}

export interface StreamRow {
  readonly name: string
  readonly recordCount: number | undefined
  /** Only where they differ from the connector's. */
  readonly connections: readonly ConnectionName[]
  readonly row: Readonly<Record<string, unknown>>
}

export function connectorsOf(body: Readonly<Record<string, unknown>>): Connector[] {
  const listed = Array.isArray(body['connectors']) ? body['connectors'].map(objectOf) : []
  return listed.map((connector) => ({
    key: textOf(connector['connector_key']) ?? textOf(connector['connector_id']) ?? 'unknown',
    name: textOf(connector['display_name']) ?? textOf(connector['connector_display_name']),
    connections: connectionsOf(connector['granted_connections']),
    streams: (Array.isArray(connector['streams']) ? connector['streams'].map(objectOf) : []).map((row) => ({
      name: String(row['name'] ?? ''),
      recordCount: typeof row['record_count'] === 'number' ? row['record_count'] : undefined,
      connections: connectionsOf(row['granted_connections']),
      row,
    })),
  }))
}

function connectionsOf(value: unknown): ConnectionName[] {
  return (Array.isArray(value) ? value.map(objectOf) : []).flatMap((entry) => {
    const id = textOf(entry['connection_id'])
    return id === undefined ? [] : [{ id, name: textOf(entry['display_name']) }]
  })
}
