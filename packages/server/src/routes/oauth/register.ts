import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { RateLimit } from '../../lib/rate-limit.ts'
import { jsonObject, limited, oauthErrors } from './answer.ts'

/** POST /oauth/register (RFC 7591): open to everybody, for public clients, and worth nothing without the owner. */
export function registerClient(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: 120, windowMs: 600_000 })
  return oauthErrors(async (c) => {
    limited(limit, c)
    const { clientId, createdAt, metadata } = await context.clients.register(
      await jsonObject(c),
      c.get('arrival').origin,
    )
    return c.json(
      {
        client_id: clientId,
        client_id_issued_at: Math.floor(createdAt / 1000),
        ...metadata,
        token_endpoint_auth_method: 'none',
      },
      201,
    )
  })
}
