import type { Handler } from 'hono'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { grantedConnections } from '../../grants/authority.ts'
import { MAX_MEMBERS } from '../../grants/packages/package-service.ts'
import type { StoredPackage } from '../../grants/packages/package-store.ts'
import { grantStatus } from '../../grants/refusal.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { parsedBody } from './body.ts'
import { time } from './grant-wire.ts'

const createSchema = z.strictObject({
  grants: z.array(z.string()).min(1).max(MAX_MEMBERS),
  client_name: z.string().trim().min(1).max(200).optional(),
})

/** POST /v1/owner/packages: creates a package of grants and its token. The token is shown only here. */
export function createPackage(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const body = await parsedBody(c, createSchema)
    const issued = await context.issuer.package(subjectId, { grantIds: body.grants, clientName: body.client_name })
    const { packageId, clientId } = issued.package
    return c.json(
      {
        package_id: packageId,
        client_id: clientId,
        access_token: issued.token.accessToken,
        expires_at: time(issued.token.expiresAt),
        package: await toWire(context, subjectId, issued.package),
      },
      201,
    )
  }
}

/** GET /v1/owner/packages */
export function listPackages(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['limit', 'cursor', 'client_id'])
    const { subjectId } = c.get('authority')
    const limit = query.limit
    const before = query.text('cursor')
    if (before !== undefined) await context.packages.require(subjectId, before)
    const options = { limit: limit + 1, before, clientId: query.text('client_id') }
    const found = await context.storage.packages.list(subjectId, options)
    const data = await Promise.all(found.slice(0, limit).map((entry) => toWire(context, subjectId, entry)))
    const hasMore = found.length > limit
    return c.json({
      object: 'list',
      has_more: hasMore,
      ...(hasMore ? { next_cursor: data.at(-1)!.package_id } : {}),
      meta: { warnings: query.warnings },
      data,
    })
  }
}

/** GET /v1/owner/packages/{id} */
export function readPackage(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    new Query(c.req.url, [])
    const { subjectId } = c.get('authority')
    return c.json(await toWire(context, subjectId, await context.packages.require(subjectId, c.req.param('id')!)))
  }
}

/** POST /v1/owner/packages/{id}/revoke */
export function revokePackage(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const ended = await context.packages.revoke(c.get('authority').subjectId, c.req.param('id')!)
    return c.json({ revoked: true, package_id: c.req.param('id'), grants_revoked: ended })
  }
}

/** POST /v1/owner/packages/{id}/pause and /resume */
export function changePackage(context: Context, change: 'pause' | 'resume'): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    return c.json(await toWire(context, subjectId, await context.packages[change](subjectId, c.req.param('id')!)))
  }
}

async function toWire(context: Context, subjectId: string, found: StoredPackage) {
  const { packageId, clientId, clientName, members } = found
  const ids = members.map(({ grant }) => grant.grant_id)
  const lastUsed = await context.storage.receipts.lastUsed(subjectId, [packageId, ...ids])
  const now = Date.now()
  return {
    object: 'owner_package',
    package_id: packageId,
    status: packageStatus(found, now),
    client: { client_id: clientId, ...(clientName === undefined ? {} : { client_display: { name: clientName } }) },
    created_at: time(found.createdAt),
    revoked_at: time(found.revokedAt),
    last_used_at: time(lastUsed.size === 0 ? undefined : Math.max(...lastUsed.values())),
    member_count: members.length,
    members: members.map((member) => ({
      grant_id: member.grant.grant_id,
      status: grantStatus(member, now),
      connector_key: member.grant.source.connector_key,
      connection_ids: grantedConnections(member.grant),
      streams: member.grant.streams.map(({ name }) => name),
      last_used_at: time(lastUsed.get(member.grant.grant_id)),
    })),
  }
}

/** "unusable" means that the package is not revoked, but none of its grants is active. */
function packageStatus({ revokedAt, members }: StoredPackage, now: number): 'active' | 'unusable' | 'revoked' {
  if (revokedAt !== undefined) return 'revoked'
  return members.some((member) => grantStatus(member, now) === 'active') ? 'active' : 'unusable'
}
