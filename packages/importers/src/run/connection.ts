import { isName } from '@pdpp/protocol'
import type { PlannedConnection } from '../importer.ts'
import { ImportRefusal } from '../refusal.ts'
import type { Destination, DestinationConnection } from './destination.ts'

/** HTTP status that means that the id of a connection is in use. */
const TAKEN = 409
/** Suffixes for the id of a source's first connection, in the order in which they are tried. */
const ENDINGS = ['', ...Array.from({ length: 8 }, (_, at) => `-${at + 2}`)]

/** Chooses the connection that an import writes to: the requested one, the planned one, the only one, or a new one. */
export async function chooseConnection(
  to: Destination,
  connectorKey: string,
  requested: string | undefined,
  displayName: string,
  planned?: PlannedConnection | undefined,
): Promise<string> {
  const all = await to.connections()
  const own = all.filter((connection) => connection.connectorKey === connectorKey)
  if (requested !== undefined) {
    const other = all.find((connection) => connection.connectionId === requested)
    if (other && other.connectorKey !== connectorKey)
      throw new ImportRefusal(
        'connection_of_other_source',
        { connection: requested, source: other.connectorKey },
        'connection',
      )
    return other ? requested : to.connect({ connectorKey, connectionId: requested, displayName })
  }
  if (planned) return existingConnection(own, planned) ?? firstConnection(to, connectorKey, planned.id, planned.name)
  if (own.length === 1) return own[0]!.connectionId
  if (own.length === 0) return firstConnection(to, connectorKey, connectorKey, displayName)
  const connections = own.map((connection) => connection.connectionId)
  throw new ImportRefusal('several_connections', { source: connectorKey, connections }, 'connection')
}

/**
 * The id of the connection that a plan means, if it exists. A planned connection gets a number if its id was in use
 * before; then its name identifies it.
 */
export function existingConnection(
  own: readonly Pick<DestinationConnection, 'connectionId' | 'displayName'>[],
  { id, name }: PlannedConnection,
): string | undefined {
  const ids = new Set(ENDINGS.map((ending) => id + ending))
  const found =
    own.find(({ connectionId }) => connectionId === id) ??
    own.find(({ connectionId, displayName }) => ids.has(connectionId) && displayName === name)
  return found?.connectionId
}

/** Creates the first connection. Its id gets a number if the id is or was in use, for example by an undone import. */
async function firstConnection(
  to: Destination,
  connectorKey: string,
  id: string,
  displayName: string,
): Promise<string> {
  for (const ending of ENDINGS) {
    const connectionId = id + ending
    if (!isName(connectionId)) break
    try {
      return await to.connect({ connectorKey, connectionId, displayName })
    } catch (error) {
      if ((error as { status?: number }).status !== TAKEN) throw error
    }
  }
  return to.connect({ connectorKey, connectionId: undefined, displayName })
}
