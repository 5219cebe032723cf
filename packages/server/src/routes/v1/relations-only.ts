import type { MiddlewareHandler } from 'hono'
import type { Context } from '../../context.ts'
import { type Authority, authoritiesOf } from '../../grants/authority.ts'
import { enforce, visibleStreams } from '../../grants/enforce.ts'
import { visibleSources } from '../../grants/visible-sources.ts'
import { expandCapabilities } from '../../records/expand/relation.ts'
import { bearer, grantedField } from '../../schema/schema-document.ts'
import type { HttpEnvironment } from '../environment.ts'
import { authenticated } from '../guards/authenticate.ts'

const PREFERENCE = 'relations-only'

/**
 * GET /v1/schema with `Prefer: relations-only` (RFC 7240): the relations of a stream that can be expanded. Adapters ask
 * before each expansion (004.5). The answer depends on declaration and grant only, not on records, so it leaves no
 * receipt.
 */
export function relationsOnly(context: Context): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const preferences = (c.req.header('prefer') ?? '').split(/[,;]/).map((each) => each.trim().toLowerCase())
    const stream = c.req.query('stream')
    if (stream === undefined || !preferences.includes(PREFERENCE)) return next()
    const found = await authenticated(context, c)
    if ('refused' in found) return next()
    const { authority } = found
    if (authority.kind === 'owner') c.header('PDPP-Token-Kind', 'owner')
    c.header('Preference-Applied', PREFERENCE)
    const connectors = await relations(context, authority, stream, c.req.query('connection_id'))
    return c.json({ object: 'schema', bearer: bearer(authority), connectors })
  }
}

/** Leaves out streams outside the grant. The read that follows refuses them and writes the receipt. */
async function relations(context: Context, authority: Authority, stream: string, connectionId: string | undefined) {
  const sources = await visibleSources(context.sources, authoritiesOf(authority))
  return sources.flatMap((source) => {
    const streams = visibleStreams(source.authority, source.declaration)
      .filter(({ name }) => name === stream)
      .filter(({ name }) => {
        const { connections } = enforce(source.authority, source, name)
        return connectionId === undefined || connections.includes(connectionId)
      })
      .map((declaration) => ({
        name: declaration.name,
        expand_capabilities: expandCapabilities(declaration, grantedField(source.authority)),
      }))
    return streams.length === 0 ? [] : [{ connector_key: source.declaration.connector_key, streams }]
  })
}
