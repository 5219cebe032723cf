import { warningLines } from '../../rendering/header.ts'
import { grouped } from '../../rendering/safe-text.ts'
import { type Connector, connectorsOf, isPackageOfSeveral } from './schema-document.ts'
import { connectionList, counted, sourceName } from './schema-names.ts'

/** Lists the names of all granted streams, by connector, without a size limit (000.5). */
export function indexText(body: Readonly<Record<string, unknown>>): string {
  const connectors = connectorsOf(body)
  const streams = connectors.flatMap((connector) => connector.streams)
  const numbers = streams.some(({ recordCount }) => recordCount !== undefined) ? '; numbers are records' : ''
  const connections = new Set(connectors.flatMap((connector) => connector.connections.map(({ id }) => id)))
  const which = isPackageOfSeveral(body, connections.size) ? ' Reads of records need connection_id.' : ''
  const head = `${counted(connectors.length, 'connector')}, ${counted(streams.length, 'stream')}${numbers}.${which} Next: schema with stream for fields and filters, or search.`
  return [head, ...warningLines(body), ...connectors.map(connectorLine)].join('\n')
}

function connectorLine(connector: Connector): string {
  const named = connector.streams.map(({ name, recordCount, connections, connectionCount }) => {
    const own =
      connections.length > 0
        ? ` (${connections.map(({ id }) => id).join(' ')})`
        : connectionCount === undefined
          ? ''
          : ` (${counted(connectionCount, 'connection')})`
    return `${name}${recordCount === undefined ? '' : ` ${grouped(recordCount)}`}${own}`
  })
  const list = connectionList(connector, connector)
  return `${sourceName(connector)}${list === '' ? '' : ` ${list}`}: ${named.join(', ')}`
}
