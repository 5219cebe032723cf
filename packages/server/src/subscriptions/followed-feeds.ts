import { type Grant, MAX_CANDIDATES, PdppError } from '@pdpp/protocol'
import { type Authority, type ClientAuthority, grantedConnections } from '../grants/authority.ts'
import { streamNotGranted } from '../grants/enforce.ts'
import { memberOf } from '../grants/packages/choose-member.ts'
import type { Connection } from '../sources/connections/connection-store.ts'
import { candidate } from '../sources/declarations/source-service.ts'
import { MAX_FEEDS } from './limits.ts'
import type { FollowedFeed, SubscriptionFilters } from './subscription-store.ts'

/** Every feed that the grant allows and the filters name. */
export function feedsUnder({ source, streams }: Grant, filters: SubscriptionFilters): FollowedFeed[] {
  const isNamed = (names: readonly string[] | undefined, name: string) => names === undefined || names.includes(name)
  return streams
    .filter(({ name }) => isNamed(filters.streams, name))
    .flatMap(({ name, instance_ids: connections }) =>
      connections
        .filter((id) => isNamed(filters.connectionIds, id))
        .map((connectionId) => ({ connectorKey: source.connector_key, stream: name, connectionId })),
    )
}

/** The feeds of a subscription. Throws if the filters name anything outside the grant, or too much. */
export function requireFeeds(grant: Grant, filters: SubscriptionFilters): FollowedFeed[] {
  const granted = grant.streams.map(({ name }) => name)
  const foreign = filters.streams?.find((name) => !granted.includes(name))
  if (foreign !== undefined) throw streamNotGranted(foreign, granted, 'filters.streams')
  const connections = grantedConnections(grant)
  if (filters.connectionIds?.some((id) => !connections.includes(id))) throw noConnection()
  const feeds = feedsUnder(grant, filters)
  if (feeds.length === 0)
    throw new PdppError('invalid_argument', 'No stream of the grant is in these connections.', {
      param: 'filters',
      nextStep: 'Name streams and connections that the schema lists together.',
    })
  if (feeds.length > MAX_FEEDS)
    throw new PdppError(
      'resource_limit',
      `A subscription may follow at most ${MAX_FEEDS} streams, counted once per connection; these are ${feeds.length}.`,
      {
        param: 'filters',
        nextStep: 'Name streams or connection_ids in filters, and create several subscriptions.',
      },
    )
  return feeds
}

/**
 * The grant whose changes a subscription reports. In a package this is the one member that includes everything the
 * filters name. If several members do, throws an error that asks for a connection.
 */
export function subscribingGrant(
  authority: Exclude<Authority, { kind: 'owner' }>,
  filters: SubscriptionFilters,
  existing: readonly Connection[],
): ClientAuthority {
  if (authority.kind === 'client') return authority
  const { connectionIds, streams } = filters
  for (const id of connectionIds ?? []) memberOf(authority, id)
  const having = authority.members.filter(({ grant }) => {
    const connections = grantedConnections(grant)
    return (
      (connectionIds ?? []).every((id) => connections.includes(id)) &&
      (streams ?? []).every((name) => grant.streams.some((stream) => stream.name === name))
    )
  })
  if (having.length === 1) return having[0]!
  if (having.length > 1) throw ambiguous(having, existing)
  const granted = [...new Set(authority.members.flatMap(({ grant }) => grant.streams.map(({ name }) => name)))]
  const foreign = streams?.find((name) => !granted.includes(name))
  if (foreign !== undefined) throw streamNotGranted(foreign, granted, 'filters.streams')
  throw new PdppError(
    'invalid_argument',
    'A subscription can follow only one grant of the package, and no grant has all of these.',
    {
      param: 'filters',
      nextStep: 'Create one subscription for each source.',
    },
  )
}

function ambiguous(members: readonly ClientAuthority[], existing: readonly Connection[]): PdppError {
  const candidates = members.flatMap(({ grant }) => {
    const ids = new Set(grantedConnections(grant))
    const own = existing.filter(({ connectionId }) => ids.has(connectionId))
    return own.map((connection) => candidate(connection, grant.grant_id))
  })
  const all =
    candidates.length > MAX_CANDIDATES
      ? `Call GET /v1/schema (the schema tool) for all ${candidates.length} connections, then name one in filters.connection_ids.`
      : 'Repeat the request with one of available_connections in filters.connection_ids.'
  const message = `This token has ${members.length} grants with these streams: say which connection is meant.`
  return new PdppError('ambiguous_connection', message, {
    param: 'filters.connection_ids',
    retryWith: 'connection_id',
    candidates,
    nextStep: all,
  })
}

const noConnection = (): PdppError =>
  new PdppError('connection_not_found', 'There is no such connection for this token.', {
    param: 'filters.connection_ids',
  })
