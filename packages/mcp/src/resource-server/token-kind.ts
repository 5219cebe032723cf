import { PdppError } from '@pdpp/protocol/reading'
import { objectOf, textOf } from './envelope.ts'
import type { Read, Reply } from './resource-server.ts'

/** Asks as the holder of the token that is looked at. */
type Ask = (read: Read) => Promise<Reply>

/** Our server answers such a request with the kind alone: nothing is read, so no receipt is written (RFC 7240). */
const KIND_ONLY = 'return=minimal'

/**
 * Turns an owner's token away before anything is read with it (000.3). The schema names the kind of its bearer; of a
 * server that names it nowhere, an address that answers owners alone is asked. What could not be found out is given
 * back as an answer in place of the read: nothing is read with a token of unknown kind.
 */
export async function refuseOwnerToken(ask: Ask, signal: AbortSignal | undefined): Promise<Reply | undefined> {
  const about = { tool: 'token_kind', signal }
  const schema = await ask({ ...about, path: '/v1/schema', query: [['view', 'compact']], prefer: KIND_ONLY })
  const { token_kind: kind, scope } = objectOf(objectOf(schema.body)['bearer'])
  if (kind === 'owner' || scope === 'owner') throw ownerToken()
  if (textOf(kind) !== undefined) return
  if (schema.status === 401 || isAway(schema.status)) return schema
  const owners = await ask({ ...about, path: '/v1/owner/connections', query: [['limit', '1']] })
  if (isAway(owners.status)) return owners
  if (owners.status < 300 && typeof owners.body === 'object') throw ownerToken()
  return
}

/** Not an answer of the server's own, or one to come back for. */
export const isAway = (status: number): boolean => status === 429 || status >= 500

export function ownerToken(): PdppError {
  return new PdppError('permission_error', 'The cached token is an owner token, but agents read through a grant.', {
    reason: 'owner_token',
  })
}
