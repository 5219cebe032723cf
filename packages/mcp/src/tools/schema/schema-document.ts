import { objectOf, objectsOf, textOf } from '../../resource-server/envelope.ts'

/** The parts of a schema document that the texts need: compact or full, of any implementation. */
export interface Connector {
  readonly key: string
  readonly name: string | undefined
  readonly connections: readonly ConnectionName[]
  /** The number of connections, if not all are listed. */
  readonly connectionCount: number | undefined
  readonly streams: readonly StreamRow[]
}

export interface ConnectionName {
  readonly id: string
  readonly name: string | undefined
}

export interface StreamRow {
  readonly name: string
  readonly recordCount: number | undefined
  /** Empty if they are the same as the connector's. */
  readonly connections: readonly ConnectionName[]
  readonly connectionCount: number | undefined
  readonly row: Readonly<Record<string, unknown>>
}

export function connectorsOf(body: Readonly<Record<string, unknown>>): Connector[] {
  const listed = objectsOf(body['connectors'])
  return listed.map((connector) => ({
    key: textOf(connector['connector_key']) ?? textOf(connector['connector_id']) ?? 'unknown',
    name: textOf(connector['display_name']) ?? textOf(connector['connector_display_name']),
    connections: connectionsOf(connector['granted_connections']),
    connectionCount: numberOf(connector['connection_count']),
    streams: objectsOf(connector['streams']).map((row) => ({
      name: String(row['name'] ?? ''),
      recordCount: numberOf(row['record_count']),
      connections: connectionsOf(row['granted_connections']),
      connectionCount: numberOf(row['connection_count']),
      row,
    })),
  }))
}

/**
 * True if reads need a connection_id, because a package has several sources. A single grant reads its connections
 * together.
 */
export function isPackageOfSeveral(body: Readonly<Record<string, unknown>>, named: number): boolean {
  const { token_kind: kind, usable_member_count: members } = objectOf(body['bearer'])
  return kind === 'mcp_package' && (named > 1 || Number(members ?? 0) > 1)
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function connectionsOf(value: unknown): ConnectionName[] {
  return objectsOf(value).flatMap((entry) => {
    const id = textOf(entry['connection_id'])
    return id === undefined ? [] : [{ id, name: textOf(entry['display_name']) }]
  })
}
