import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { isOwnOrigin } from '../../http/request/request-origin.ts'
import { RateLimit } from '../../lib/limits/rate-limit.ts'
import type { HttpEnvironment } from '../environment.ts'
import { jsonObject, limited, oauthErrors } from './answer.ts'

const WINDOW_MS = 600_000
/**
 * Max. registrations per IP address and window. Programs and web pages on one machine share its address, so pages are
 * counted separately, per origin and all together. So they cannot use up the limit that programs need.
 */
const LIMITS = { programs: 120, pages: 60, origin: 20 }

/** POST /oauth/register (RFC 7591): anybody may register a public client. It has no access until the owner consents. */
export function registerClient(context: Context): Handler<HttpEnvironment> {
  const programs = new RateLimit({ count: LIMITS.programs, windowMs: WINDOW_MS })
  const pages = new RateLimit({ count: LIMITS.pages, windowMs: WINDOW_MS })
  const origins = new RateLimit({ count: LIMITS.origin, windowMs: WINDOW_MS })
  return oauthErrors(async (c) => {
    const origin = c.req.header('origin')
    if (origin === undefined || isOwnOrigin(c, origin)) limited(programs, c)
    else {
      limited(origins, c, origin)
      limited(pages, c)
    }
    const { clientId, createdAt, metadata } = await context.clients.register(
      await jsonObject(c),
      c.get('requestOrigin').origin,
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
