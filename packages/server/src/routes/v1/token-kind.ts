import type { MiddlewareHandler } from 'hono'
import type { Context } from '../../context.ts'
import { bearer } from '../../schema/schema-document.ts'
import type { HttpEnvironment } from '../environment.ts'
import { authenticated } from '../guards/authenticate.ts'

/**
 * GET /v1/schema with `Prefer: return=minimal` (RFC 7240): the kind of the token, without any schema. Adapters send it
 * before their first read. It shows no data, so it leaves no receipt; refusals leave one, as for any read.
 */
export function tokenKind(context: Context): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    if (!/(^|[,;\s])return=minimal($|[,;\s])/i.test(c.req.header('prefer') ?? '')) return next()
    const found = await authenticated(context, c)
    if ('refused' in found) return next()
    if (found.authority.kind === 'owner') c.header('PDPP-Token-Kind', 'owner')
    c.header('Preference-Applied', 'return=minimal')
    return c.json({ object: 'schema', bearer: bearer(found.authority) })
  }
}
