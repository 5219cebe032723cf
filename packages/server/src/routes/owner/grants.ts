import { GRANT_CONNECTIONS } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { z } from 'zod'
import { ownerCreatedClient } from '../../clients/client-service.ts'
import type { Context } from '../../context.ts'
import type { StoredGrant } from '../../grants/grant-store.ts'
import type { Http, HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { parsedBody } from './body.ts'
import { grantToWire, time } from './grant-wire.ts'

const createSchema = z.strictObject({
  client_name: z.string().trim().min(1).max(200),
  client_id: z.string().min(1).max(200).optional(),
  connections: z.array(z.string()).min(1).max(GRANT_CONNECTIONS),
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

const narrowSchema = z.strictObject({
  connections: z.array(z.string()).min(1).max(GRANT_CONNECTIONS).optional(),
  streams: z
    .array(z.strictObject({ name: z.string(), fields: z.array(z.string()).min(1).optional() }))
    .min(1)
    .optional(),
  fields: z.array(z.string()).min(1).optional(),
  since: z.string().optional(),
  until: z.string().optional(),
  resources: z.array(z.string()).min(1).optional(),
  expires_at: z.string().optional(),
})

/** POST /v1/owner/grants: creates a grant and its token. The token is shown only here. */
export function createGrant(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const body = await parsedBody(c, createSchema)
    const { grant, token } = await context.issuer.grant(c.get('authority').subjectId, {
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
    await context.clients.used(ownerCreatedClient(clientId, body.client_name))
    return c.json(
      {
        grant_id: grant.grant_id,
        client_id: grant.client.client_id,
        access_token: token.accessToken,
        expires_at: time(token.expiresAt),
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
    const page = grants.slice(0, limit)
    const ids = page.map(({ grant }) => grant.grant_id)
    const lastUsed = await context.storage.receipts.lastUsed(subjectId, ids)
    const data = page.map((stored) => grantToWire(stored, lastUsed))
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
    return c.json(await shown(context, await context.grants.require(...grantParams(c))))
  }
}

/** POST /v1/owner/grants/{id}/revoke, and /grants/{id}/revoke, the protocol's name for it. */
export function revokeGrant(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await context.grants.revoke(...grantParams(c))
    return c.json({ revoked: true, grant_id: c.req.param('id') })
  }
}

/** POST /v1/owner/grants/{id}/pause */
export function pauseGrant(context: Context): Handler<HttpEnvironment> {
  return async (c) => c.json(await shown(context, await context.grants.pause(...grantParams(c))))
}

/** POST /v1/owner/grants/{id}/resume */
export function resumeGrant(context: Context): Handler<HttpEnvironment> {
  return async (c) => c.json(await shown(context, await context.grants.resume(...grantParams(c))))
}

/** POST /v1/owner/grants/{id}/narrow: replaces a grant with a smaller one and returns it. */
export function narrowGrant(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { expires_at: expiresAt, ...rest } = await parsedBody(c, narrowSchema)
    return c.json(await shown(context, await context.grants.narrow(...grantParams(c), { ...rest, expiresAt })))
  }
}

const grantParams = (c: Http): [string, string] => [c.get('authority').subjectId, c.req.param('id')!]

async function shown(context: Context, stored: StoredGrant) {
  const { grant } = stored
  return grantToWire(stored, await context.storage.receipts.lastUsed(grant.subject.id, [grant.grant_id]))
}
