import type { Handler } from 'hono'
import { z } from 'zod'
import { ownerMade } from '../../clients/client-service.ts'
import type { Context } from '../../context.ts'
import type { StoredGrant } from '../../grants/grant-store.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { Query } from '../../http/query.ts'
import { parsedBody } from './body.ts'

const createSchema = z.strictObject({
  client_name: z.string().trim().min(1).max(200),
  client_id: z.string().min(1).max(200).optional(),
  connections: z.array(z.string()).min(1).max(100),
  streams: z
    .array(
      z.strictObject({ name: z.string(), fields: z.array(z.string()).min(1).optional(), view: z.string().optional() }),
    )
    .min(1)
    .optional(),
  fields: z.array(z.string()).min(1).optional(),
  since: z.string().optional(),
  until: z.string().optional(),
  resources: z.array(z.string()).min(1).optional(),
  expires_at: z.string().optional(),
  access_mode: z.enum(['continuous', 'single_use']).default('continuous'),
  purpose_code: z.url().default('https://pdpp.dev/purpose/agent_context'),
  purpose_description: z.string().max(500).optional(),
})

/** POST /v1/owner/grants: a grant and its token, shown once. */
export function createGrant(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const body = await parsedBody(c, createSchema)
    const { grant, token } = await context.grants.issue(c.get('authority').subjectId, {
      clientName: body.client_name,
      clientId: body.client_id,
      connections: body.connections,
      streams: body.streams,
      fields: body.fields,
      since: body.since,
      until: body.until,
      resources: body.resources,
      expiresAt: body.expires_at,
      singleUse: body.access_mode === 'single_use',
      purposeCode: body.purpose_code,
      purposeDescription: body.purpose_description,
    })
    const { client_id: clientId } = grant.client
    await context.clients.used(ownerMade(clientId, body.client_name))
    const expiresAt = token.expiresAt === undefined ? null : new Date(token.expiresAt).toISOString()
    return c.json(
      {
        grant_id: grant.grant_id,
        client_id: grant.client.client_id,
        access_token: token.accessToken,
        expires_at: expiresAt,
        grant,
      },
      201,
    )
  }
}

/** GET /v1/owner/grants */
export function listGrants(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['limit', 'cursor', 'client_id'])
    const limit = query.limit
    const { subjectId } = c.get('authority')
    const before = query.text('cursor')
    if (before !== undefined) await context.grants.require(subjectId, before)
    const options = { limit: limit + 1, before, clientId: query.text('client_id') }
    const grants = await context.storage.grants.list(subjectId, options)
    const data = grants.slice(0, limit).map(toWire)
    const hasMore = grants.length > limit
    return c.json({
      object: 'list',
      has_more: hasMore,
      ...(hasMore ? { next_cursor: data.at(-1)!.grant_id } : {}),
      meta: { warnings: query.warnings },
      data,
    })
  }
}

/** GET /v1/owner/grants/{id} */
export function readGrant(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    new Query(c.req.url, [])
    return c.json(toWire(await context.grants.require(c.get('authority').subjectId, c.req.param('id')!)))
  }
}

/** POST /v1/owner/grants/{id}/revoke, and /grants/{id}/revoke as the protocol names it. */
export function revokeGrant(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await context.grants.revoke(c.get('authority').subjectId, c.req.param('id')!)
    return c.json({ revoked: true, grant_id: c.req.param('id') })
  }
}

function toWire({ grant, revokedAt, consumedAt }: StoredGrant) {
  const expired = grant.expires_at !== null && Date.parse(grant.expires_at) <= Date.now()
  const time = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())
  return {
    object: 'owner_grant',
    grant_id: grant.grant_id,
    status: revokedAt !== undefined ? 'revoked' : expired ? 'expired' : 'active',
    revoked_at: time(revokedAt),
    consumed_at: time(consumedAt),
    grant,
  }
}
