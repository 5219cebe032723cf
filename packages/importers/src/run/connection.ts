import { isName } from '@pdpp/protocol'
import { ImportRefusal } from '../refusal.ts'
import type { Destination } from './destination.ts'

/** HTTP status if the id of a connection is in use. */
const TAKEN = 409
/** Endings that are tried, in this order, for the id of a source's first connection. */
const ENDINGS = ['', ...Array.from({ length: 8 }, (_, at) => `-${at + 2}`)]

/** The connection that an import writes to: the one that was asked for, the only one, or a new one. */
export async function chooseConnection(
  to: Destination,
  connectorKey: string,
  wished: string | undefined,
  displayName: string,
): Promise<string> {
  const all = await to.connections()
  const own = all.filter((connection) => connection.connectorKey === connectorKey)
  if (wished !== undefined) {
    const other = all.find((connection) => connection.connectionId === wished)
    if (other && other.connectorKey !== connectorKey)
      throw new ImportRefusal(
        'connection_of_other_source',
        { connection: wished, source: other.connectorKey },
        'connection',
      )
    return other ? wished : to.connect({ connectorKey, connectionId: wished, displayName })
  }
  if (own.length === 1) return own[0]!.connectionId
  if (own.length === 0) return firstConnection(to, connectorKey, displayName)
  const connections = own.map((connection) => connection.connectionId)
  throw new ImportRefusal('several_connections', { source: connectorKey, connections }, 'connection')
}

/** The id is that of the source, with a number if the id is or was in use, for example by an import that was undone. */
async function firstConnection(to: Destination, connectorKey: string, displayName: string): Promise<string> {
  for (const ending of ENDINGS) {
    const connectionId = connectorKey + ending
    if (!isName(connectionId)) break
    try {
      return await to.connect({ connectorKey, connectionId, displayName })
    } catch (error) {
      if ((error as { status?: number }).status !== TAKEN) throw error
    }
  }
  return to.connect({ connectorKey, connectionId: undefined, displayName })
}
