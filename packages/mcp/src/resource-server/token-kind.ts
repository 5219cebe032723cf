import { PdppError } from '@pdpp/protocol/reading'
import { objectOf, textOf } from './envelope.ts'
import type { Read, Reply } from './resource-server.ts'

/** Reads with the token that is being checked. */
type Ask = (read: Read) => Promise<Reply>

/** With this preference our server answers only with the token's kind, and writes no receipt (RFC 7240). */
const KIND_ONLY = 'return=minimal'

/**
 * Throws for an owner token before anything is read with it (000.3). The schema names the kind of the token. If a
 * server does not, we try a route that only owners can read. If the check itself fails, its answer is returned and
 * replaces the read, because nothing may be read with a token of unknown kind.
 */
export async function refuseOwnerToken(ask: Ask, signal: AbortSignal | undefined): Promise<Reply | undefined> {
  const common = { tool: 'token_kind', signal }
  const schema = await ask({ ...common, path: '/v1/schema', query: [['view', 'compact']], prefer: KIND_ONLY })
  const { token_kind: kind, scope } = objectOf(objectOf(schema.body)['bearer'])
  if (kind === 'owner' || scope === 'owner') throw ownerToken()
  if (textOf(kind) !== undefined) return
  if (schema.status === 401 || isAway(schema.status)) return schema
  const owners = await ask({ ...common, path: '/v1/owner/connections', query: [['limit', '1']] })
  if (isAway(owners.status)) return owners
  if (owners.status < 300 && typeof owners.body === 'object') throw ownerToken()
  return
}

/** True if the server is busy or failing for now. */
const isAway = (status: number): boolean => status === 429 || status >= 500

export function ownerToken(): PdppError {
  return new PdppError('permission_error', 'The cached token is an owner token, but agents read through a grant.', {
    reason: 'owner_token',
  })
}
