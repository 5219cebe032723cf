import { ImportRefusal } from '@pdpp/importers'
import { type OwnerApi, ServerRefusal } from '../../owner-api.ts'

interface WireConnection {
  connection_id: string
  connector_key: string
}

/** The connection that an import writes to: the named one, the only one, or a first one. */
export async function chooseConnection(
  api: OwnerApi,
  connectorKey: string,
  wished: string | undefined,
  displayName: string,
): Promise<string> {
  const { data } = await api.request<{ data: WireConnection[] }>('GET', '/v1/owner/connections')
  const own = data.filter((connection) => connection.connector_key === connectorKey)
  if (wished !== undefined) {
    const other = data.find((connection) => connection.connection_id === wished)
    if (other && other.connector_key !== connectorKey)
      throw new ImportRefusal(
        `The connection "${wished}" belongs to the source "${other.connector_key}".`,
        `Choose another name with --connection, or add --source ${other.connector_key}.`,
      )
    return other ? wished : create(api, connectorKey, wished, displayName)
  }
  if (own.length === 1) return own[0]!.connection_id
  if (own.length === 0) return firstConnection(api, connectorKey, displayName)
  throw new ImportRefusal(
    `The source "${connectorKey}" has ${own.length} connections.`,
    `Say which one with --connection: ${own
      .map((connection) => connection.connection_id)
      .slice(0, 12)
      .join(', ')}.`,
  )
}

/** Called as the source is, unless that id is or was another's. */
async function firstConnection(api: OwnerApi, connectorKey: string, displayName: string): Promise<string> {
  try {
    return await create(api, connectorKey, connectorKey, displayName)
  } catch (error) {
    if (!(error instanceof ServerRefusal) || error.status !== 409) throw error
    return create(api, connectorKey, undefined, displayName)
  }
}

async function create(
  api: OwnerApi,
  connectorKey: string,
  connectionId: string | undefined,
  displayName: string,
): Promise<string> {
  const created = await api.request<WireConnection>('POST', '/v1/owner/connections', {
    connector_key: connectorKey,
    display_name: displayName,
    ...(connectionId === undefined ? {} : { connection_id: connectionId }),
  })
  return created.connection_id
}
