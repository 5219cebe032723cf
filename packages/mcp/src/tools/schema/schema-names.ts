import { grouped, shortLine } from '../../rendering/safe-text.ts'
import type { ConnectionName, Connector } from './schema-document.ts'

export const sourceName = ({ key, name }: Connector): string =>
  name === undefined || name === key ? key : `${key} "${shortLine(name, 60)}"`

/** The connections of a source. A name that repeats the source's name is left out. Unlisted connections are counted. */
export function connectionList(
  source: Connector,
  { connections, connectionCount }: { connections: readonly ConnectionName[]; connectionCount: number | undefined },
): string {
  const named = connections.map(({ id, name }) =>
    name === undefined || name === source.name ? id : `${id} "${shortLine(name, 60)}"`,
  )
  if (named.length === 0) return connectionCount === undefined ? '' : counted(connectionCount, 'connection')
  const more = (connectionCount ?? 0) - named.length
  return `connection_id=${named.join(' or ')}${more > 0 ? ` or one of ${grouped(more)} more (hits and records name theirs)` : ''}`
}

export const counted = (value: number, noun: string): string => `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`
