import { type Grant, MAX_CANDIDATES, PdppError, type Warning } from '@pdpp/protocol'
import type { Connection } from '../../sources/connections/connection-store.ts'
import { candidate } from '../../sources/declarations/source-service.ts'
import {
  type Authority,
  authoritiesOf,
  type ClientAuthority,
  grantedConnections,
  type PackageAuthority,
  type ReadAuthority,
  type UnusableMember,
} from '../authority.ts'
import { streamElsewhere, streamNotGranted } from '../enforce.ts'

const MAX_NAMED = 12

/**
 * Chooses the member of a package whose grant a read of one stream uses: the one with the requested connection. Without
 * a connection_id it throws an error that lists the candidates, even if only one member has the stream (000.8.1). It
 * reads no records.
 */
export function chooseMember(
  authority: PackageAuthority,
  { stream, connectionId }: { stream: string; connectionId?: string | undefined },
  existing: readonly Connection[],
): ClientAuthority {
  const pairs = authority.members.flatMap((member) => connectionsOf(member, existing))
  if (connectionId !== undefined) {
    const member = memberOf(authority, connectionId)
    const elsewhere = isIn(member, connectionId, stream) ? [] : pairs.filter((pair) => has(pair, stream))
    if (elsewhere.length > 0) throw streamElsewhere(stream, namesOf(elsewhere))
    return member
  }
  if (pairs.length === 1) return pairs[0]!.member
  if (pairs.length === 0) {
    throw new PdppError('connection_not_found', 'All connections of this package were removed.', {
      nextStep: 'Ask the owner for a new grant.',
    })
  }
  const having = pairs.filter((pair) => has(pair, stream))
  if (having.length === 0) throw noMemberHas(stream, authority)
  throw ambiguous(
    stream,
    having,
    pairs.filter((pair) => !having.includes(pair)),
  )
}

/** True if `chooseMember` needs the list of existing connections, because its error would name some of them. */
export function needsConnections(
  { members }: PackageAuthority,
  { stream, connectionId }: { stream: string; connectionId?: string | undefined },
): boolean {
  return connectionId === undefined || !members.some((member) => isIn(member, connectionId, stream))
}

const has = ({ member, connection }: MemberConnection, stream: string): boolean =>
  isIn(member, connection.connectionId, stream)

const isIn = ({ grant }: ClientAuthority, connectionId: string, stream: string): boolean =>
  grant.streams.some(({ name, instance_ids: ids }) => name === stream && ids.includes(connectionId))

const namesOf = (pairs: readonly MemberConnection[]): string[] => pairs.map(({ connection }) => connection.connectionId)

/** The member that includes this connection. If the member is expired, paused or revoked, throws its error. */
export function memberOf(authority: PackageAuthority, connectionId: string): ClientAuthority {
  const member = authority.members.find(({ grant }) => reads(grant, connectionId))
  if (member) return member
  const unusable = authority.unusable.find(({ grant }) => reads(grant, connectionId))
  if (unusable) throw refusalOf(unusable)
  throw new PdppError('connection_not_found', 'There is no such connection for this token.', { param: 'connection_id' })
}

/** The authorities for a request that is not about one stream: all of them, or the one that includes the connection. */
export function authoritiesFor(authority: Authority, connectionId: string | undefined): readonly ReadAuthority[] {
  if (authority.kind !== 'package' || connectionId === undefined) return authoritiesOf(authority)
  return [memberOf(authority, connectionId)]
}

/** The error for a request that needs an unusable member (003.3.1). */
export function refusalOf({ grant, refusal }: UnusableMember): PdppError {
  return new PdppError(refusal.code, `${refusal.message} It is the grant for "${grant.source.connector_key}".`, {
    param: 'connection_id',
    reason: 'package_member',
  })
}

/** Warnings about members that are missing from an answer. Names the first ones and counts the others. */
export function unavailable(authority: Authority, wanted: (grant: Grant) => boolean = () => true): Warning[] {
  if (authority.kind !== 'package') return []
  const missing = authority.unusable.filter(({ grant }) => wanted(grant))
  const named: Warning[] = missing.slice(0, MAX_NAMED).map(({ grant, refusal }) => ({
    code: 'source_unavailable',
    message: `"${grant.source.connector_key}" is not in this answer: ${refusal.message}`,
    detail: { grant_id: grant.grant_id, connector_key: grant.source.connector_key, reason: refusal.code },
  }))
  const others = missing.length - named.length
  if (others > 0) named.push({ code: 'source_unavailable', message: `${others} more members cannot be used now.` })
  return named
}

interface MemberConnection {
  readonly member: ClientAuthority
  readonly connection: Connection
}

function connectionsOf(member: ClientAuthority, existing: readonly Connection[]): MemberConnection[] {
  const ids = new Set(grantedConnections(member.grant))
  return existing.filter(({ connectionId }) => ids.has(connectionId)).map((connection) => ({ member, connection }))
}

function ambiguous(
  stream: string,
  having: readonly MemberConnection[],
  others: readonly MemberConnection[],
): PdppError {
  const total = having.length + others.length
  const candidates = [
    ...having.map((pair) => ({ ...candidateOf(pair), has_stream: true })),
    ...others.map((pair) => ({ ...candidateOf(pair), has_stream: false })),
  ]
  // Some clients show only the message, so it contains the ids to choose from.
  const named = having.slice(0, MAX_NAMED).map(({ connection }) => connection.connectionId)
  const more = having.length > named.length ? ` and ${having.length - named.length} more` : ''
  const message = `This token reads ${total} connections: say which one. "${stream}" is in: ${named.join(', ')}${more}.`
  return new PdppError('ambiguous_connection', message, {
    param: 'connection_id',
    retryWith: 'connection_id',
    candidates,
    reason: total > MAX_CANDIDATES ? 'more_than_listed' : 'some_have_stream',
  })
}

const candidateOf = ({ member, connection }: MemberConnection) => candidate(connection, member.grant.grant_id)

/** The error if no usable member has the stream. It is about the stream, because naming a connection would not help. */
function noMemberHas(stream: string, { members, unusable }: PackageAuthority): PdppError {
  const unusableMember = unusable.find(({ grant }) => grant.streams.some(({ name }) => name === stream))
  if (unusableMember) return refusalOf(unusableMember)
  const granted = members.flatMap(({ grant }) => grant.streams.map(({ name }) => name))
  return streamNotGranted(stream, [...new Set(granted)], 'stream')
}

const reads = (grant: Grant, connectionId: string): boolean =>
  grant.streams.some(({ instance_ids: ids }) => ids.includes(connectionId))
