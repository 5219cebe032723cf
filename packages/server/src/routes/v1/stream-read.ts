import type { Context } from '../../context.ts'
import { authoritiesOf, type ReadAuthority } from '../../grants/authority.ts'
import { authoritiesFor, chooseMember, needsConnections, unavailable } from '../../grants/packages/choose-member.ts'
import type { StreamRead } from '../../records/record-service.ts'
import type { Http } from '../environment.ts'
import type { Query } from '../request/query.ts'

/** What every read of records says about which records and fields it means. */
export function streamRead(c: Http, query: Query): StreamRead {
  return {
    stream: c.req.param('stream')!,
    connectionId: query.connectionId,
    connectorKey: query.text('connector_id'),
    fields: query.list('fields'),
    view: query.text('view'),
  }
}

/** Whose rights a read of one stream uses: who asks, or the member of their package that the connection names. */
export async function streamAuthority(
  context: Context,
  c: Http,
  read: Pick<StreamRead, 'stream' | 'connectionId'>,
): Promise<ReadAuthority> {
  const authority = c.get('authority')
  if (authority.kind !== 'package') return authority
  // Only the question back has to know what connections there are.
  const existing = needsConnections(authority, read) ? await context.storage.connections.list(authority.subjectId) : []
  const readAuthority = chooseMember(authority, read, existing)
  rememberRead(c, [readAuthority])
  return readAuthority
}

/** The same for what a stream is like: there the only member that has it may answer unasked. */
export async function describedBy(
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

/** Everyone that an answer about all in reach is read for; members that cannot be used are named in its warnings. */
export function allReaders(c: Http, query: Query, connectionId: string | undefined): readonly ReadAuthority[] {
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
