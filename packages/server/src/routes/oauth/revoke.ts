import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { unverifiedId } from '../../clients/unverified-client.ts'
import type { Context } from '../../context.ts'
import { RateLimit } from '../../lib/limits/rate-limit.ts'
import type { HttpEnvironment } from '../environment.ts'
import { formBody, limited, oauthErrors } from './answer.ts'

/**
 * POST /oauth/revoke (RFC 7009): a client gives back its own token. An access token ends alone, a refresh token with
 * its whole family. What is unknown or somebody else's is answered alike, and stays as it is.
 */
export function revokeToken(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: 120, windowMs: 60_000 })
  return oauthErrors(async (c) => {
    limited(limit, c)
    const form = await formBody(c)
    const [token, clientId] = [form.get('token'), form.get('client_id')]
    if (!token) throw new PdppError('invalid_request', 'token is missing.')
    if (!clientId) throw new PdppError('invalid_request', 'client_id is missing.')
    // An unverified client goes by the address that it claims.
    for (const id of [clientId, unverifiedId(clientId)]) await giveBack(context, token, id)
    return c.body(null, 200)
  })
}

async function giveBack(context: Context, token: string, clientId: string): Promise<void> {
  if (await context.authorization.refresh.revoke(token, clientId)) return
  const found = await context.tokens.find(token)
  if (found?.token.clientId === clientId) await context.tokens.revoke(token)
}
