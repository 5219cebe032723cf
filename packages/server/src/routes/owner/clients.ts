import type { Handler } from 'hono'
import { z } from 'zod'
import type { FullAccess } from '../../authorization/stores/authorization-store.ts'
import type { Client } from '../../clients/client-store.ts'
import type { Context } from '../../context.ts'
import { grantStatus } from '../../grants/refusal.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { parsedBody } from './body.ts'

/** Max. grants that are loaded to count the active ones of a client. */
const COUNTED = 100

/** GET /v1/owner/clients */
export function listClients(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['limit', 'cursor'])
    const { limit } = query
    const before = query.text('cursor')
    if (before !== undefined) await context.clients.require(before)
    const found = await context.clients.list({ limit: limit + 1, before })
    const { subjectId } = c.get('authority')
    const full = await context.storage.authorizations.fullAccess(subjectId, Date.now())
    const data = await Promise.all(found.slice(0, limit).map((client) => toWire(context, subjectId, client, full)))
    const hasMore = found.length > limit
    return c.json({
      object: 'list',
      has_more: hasMore,
      ...(hasMore ? { next_cursor: data.at(-1)!.client_id } : {}),
      meta: { warnings: query.warnings },
      data,
    })
  }
}

/** GET /v1/owner/clients/{id} */
export function readClient(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    new Query(c.req.url, [])
    const client = await context.clients.require(c.req.param('id')!)
    const { subjectId } = c.get('authority')
    const full = await context.storage.authorizations.fullAccess(subjectId, Date.now())
    return c.json(await toWire(context, subjectId, client, full))
  }
}

/** POST /v1/owner/clients/{id}/revoke: ends all access of a client. It may ask the owner again. */
export function revokeClient(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { clientId } = await context.clients.require(c.req.param('id')!)
    const ended = await context.clientAccess.end(c.get('authority').subjectId, clientId)
    return c.json({ revoked: true, client_id: clientId, grants: ended.grants, packages: ended.packages })
  }
}

const fullAccessSchema = z.strictObject({ may_ask: z.boolean() })

/** PUT /v1/owner/clients/{id}/full-access: sets whether a client may ask for full access. It grants nothing yet. */
export function setMayAskFullAccess(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const client = await context.clients.require(c.req.param('id')!)
    const { may_ask: mayAsk } = await parsedBody(c, fullAccessSchema)
    const { subjectId } = c.get('authority')
    const { ownerAgents } = context.authorization
    await (mayAsk ? ownerAgents.add(subjectId, client.clientId) : ownerAgents.remove(subjectId, client.clientId))
    const full = await context.storage.authorizations.fullAccess(subjectId, Date.now())
    return c.json(await toWire(context, subjectId, client, full))
  }
}

async function toWire(context: Context, subjectId: string, client: Client, full: readonly FullAccess[]) {
  const { clientId, kind, metadata, createdAt, lastUsedAt } = client
  const grants = await context.storage.grants.list(subjectId, { limit: COUNTED, clientId })
  const active = grants.filter((grant) => ['active', 'paused'].includes(grantStatus(grant, Date.now()))).length
  const until = full.find((one) => one.clientId === clientId)?.until
  return {
    object: 'owner_client',
    client_id: clientId,
    client_name: metadata.client_name ?? null,
    kind,
    /** Only a metadata document proves a client's identity: it belongs to the owner of that host. */
    verified_host: kind === 'document' ? new URL(clientId).host : null,
    redirect_uris: metadata.redirect_uris,
    active_grants: active,
    /** Until when it may do everything that the owner may, in addition to its grants. */
    full_access_until: until === undefined ? null : new Date(until).toISOString(),
    /** True if it may ask for full access in the device flow: our own CLI, and clients that the owner listed. */
    may_ask_full_access: await context.authorization.ownerAgents.mayAsk(subjectId, client),
    created_at: createdAt === 0 ? null : new Date(createdAt).toISOString(),
    last_used_at: lastUsedAt === undefined ? null : new Date(lastUsedAt).toISOString(),
  }
}
