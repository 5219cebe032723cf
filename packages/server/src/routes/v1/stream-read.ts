import type { Context } from '../../context.ts'
import { authoritiesOf, type ReadAuthority } from '../../grants/authority.ts'
import { authoritiesFor, chooseMember, needsConnections, unavailable } from '../../grants/packages/choose-member.ts'
import type { StreamRead } from '../../records/record-service.ts'
import type { Http } from '../environment.ts'
import type { Query } from '../request/query.ts'

/** The parameters that all reads of records have in common. */
export function streamRead(c: Http, query: Query): StreamRead {
  return {
    stream: c.req.param('stream')!,
    connectionId: query.connectionId,
    connectorKey: query.text('connector_id'),
    fields: query.list('fields'),
    view: query.text('view'),
  }
}

/** The authority for a read of one stream: the request's own, or the package member that has the connection. */
export async function streamAuthority(
  context: Context,
  c: Http,
  read: Pick<StreamRead, 'stream' | 'connectionId'>,
): Promise<ReadAuthority> {
  const authority = c.get('authority')
  if (authority.kind !== 'package') return authority
  // Load the connections only if an error has to name some.
  const existing = needsConnections(authority, read) ? await context.storage.connections.list(authority.subjectId) : []
  const readAuthority = chooseMember(authority, read, existing)
  rememberRead(c, [readAuthority])
  return readAuthority
}

/** The authority for a stream's metadata. If only one member of a package has the stream, no connection is needed. */
export async function metadataAuthority(
  context: Context,
  c: Http,
  read: Pick<StreamRead, 'stream' | 'connectionId'>,
): Promise<ReadAuthority> {
  const authority = c.get('authority')
  const having = authoritiesOf(authority).filter(
    (readAuthority) =>
      readAuthority.kind === 'client' && readAuthority.grant.streams.some(({ name }) => name === read.stream),
  )
  if (authority.kind !== 'package' || read.connectionId !== undefined || having.length !== 1)
    return streamAuthority(context, c, read)
  rememberRead(c, having)
  return having[0]!
}

/** The authorities for an answer about all granted data. Warnings name the unusable members of a package. */
export function allAuthorities(c: Http, query: Query, connectionId: string | undefined): readonly ReadAuthority[] {
  const authority = c.get('authority')
  const authorities = authoritiesFor(authority, connectionId)
  if (connectionId === undefined) query.warnings.push(...unavailable(authority))
  rememberRead(c, authorities)
  return authorities
}

function rememberRead(c: Http, authorities: readonly ReadAuthority[]): void {
  c.set(
    'grantsRead',
    authorities.flatMap((readAuthority) => (readAuthority.kind === 'client' ? [readAuthority.grant.grant_id] : [])),
  )
}
