import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { introspection } from '../../authorization/tokens/introspection.ts'
import type { Context } from '../../context.ts'
import { RateLimit } from '../../lib/limits/rate-limit.ts'
import type { Http, HttpEnvironment } from '../environment.ts'
import { formBody, limited, oauthErrors } from './answer.ts'

/**
 * POST /introspect (RFC 7662). Requires an owner token, as a bearer or as the password of HTTP Basic, which is all that
 * some resource servers support. Without it, anybody could guess tokens here.
 */
export function introspect(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: 600, windowMs: 60_000 })
  return oauthErrors(async (c) => {
    limited(limit, c)
    await requireOwner(context, c)
    const token = (await formBody(c)).get('token')
    if (!token) throw new PdppError('invalid_request', 'token is missing.')
    return c.json(introspection(await context.tokens.find(token), c.get('requestOrigin').origin, Date.now()))
  })
}

async function requireOwner(context: Context, c: Http): Promise<void> {
  try {
    const authentication = await context.tokens.authenticate(credential(c.req.header('authorization') ?? ''), 'v1')
    if ('authority' in authentication && authentication.authority.kind === 'owner') return
  } catch (error) {
    if (!(error instanceof PdppError)) throw error
  }
  c.header('WWW-Authenticate', 'Basic realm="introspection"')
  throw new PdppError('authentication_error', 'Introspection needs an owner token.')
}

function credential(header: string): string {
  const [scheme = '', value = ''] = header.split(' ')
  if (scheme.toLowerCase() !== 'basic') return value
  const pair = Buffer.from(value, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}
