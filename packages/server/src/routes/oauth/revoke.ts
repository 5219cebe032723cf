import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { unverifiedId } from '../../clients/unverified-client.ts'
import type { Context } from '../../context.ts'
import { RateLimit } from '../../lib/limits/rate-limit.ts'
import type { HttpEnvironment } from '../environment.ts'
import { formBody, limited, oauthErrors } from './answer.ts'

/**
 * POST /oauth/revoke (RFC 7009): a client revokes its own token. A refresh token ends with all tokens of its family, an
 * access token ends alone. Unknown tokens and those of other clients get the same answer and are not changed.
 */
export function revokeToken(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: 120, windowMs: 60_000 })
  return oauthErrors(async (c) => {
    limited(limit, c)
    const form = await formBody(c)
    const [token, clientId] = [form.get('token'), form.get('client_id')]
    if (!token) throw new PdppError('invalid_request', 'token is missing.')
    if (!clientId) throw new PdppError('invalid_request', 'client_id is missing.')
    // An unverified client sends the address of its document, not our internal id.
    for (const id of [clientId, unverifiedId(clientId)]) await revokeOwn(context, token, id)
    return c.body(null, 200)
  })
}

async function revokeOwn(context: Context, token: string, clientId: string): Promise<void> {
  if (await context.authorization.refresh.revoke(token, clientId)) return
  const found = await context.tokens.find(token)
  if (found?.token.clientId === clientId) await context.tokens.revoke(token)
}
