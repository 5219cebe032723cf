import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { CONSENT_PATH } from '../../authorization/consent/paths.ts'
import { ATTEMPT_SECONDS, POLL_SECONDS } from '../../authorization/requests/agent-connect.ts'
import { parseAuthorizationDetails } from '../../authorization/requests/authorization-details.ts'
import { audienceOf } from '../../authorization/requests/resources.ts'
import type { TokenResponse } from '../../authorization/tokens/token-issuer.ts'
import { cleanName } from '../../clients/client-metadata.ts'
import type { Client } from '../../clients/client-store.ts'
import { type Context, OWNER } from '../../context.ts'
import { RateLimit } from '../../lib/limits/rate-limit.ts'
import type { HttpEnvironment } from '../environment.ts'
import { isType, jsonObject, limited, oauthErrors } from './answer.ts'
import { begin } from './engine.ts'

const INTERVAL = { interval: POLL_SECONDS, interval_ms: POLL_SECONDS * 1000 }

/** POST /oauth/par: a form is a request of RFC 9126. JSON is stored for a client that then uses /agent-connect. */
export function push(context: Context): Handler<HttpEnvironment> {
  const pushed = begin(context)
  const staged = stage(context)
  return (c, next) => (isType(c, 'application/json') ? staged(c, next) : pushed(c, next))
}

function stage(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: 60, windowMs: 60_000 })
  return oauthErrors(async (c) => {
    limited(limit, c)
    const body = await jsonObject(c)
    const client = await clientOf(context, body['client_id'])
    parseAuthorizationDetails(body['authorization_details'])
    const { origin, address } = c.get('requestOrigin')
    const display = body['client_display'] as { name?: unknown } | null | undefined
    const { requestUri, uid } = await context.authorization.connect.stage({
      client,
      details: JSON.stringify(body['authorization_details']),
      clientName: cleanName(display?.name),
      from: address,
    })
    return c.json(
      { request_uri: requestUri, authorization_url: `${origin}${CONSENT_PATH}/${uid}`, expires_in: ATTEMPT_SECONDS },
      201,
    )
  })
}

/** POST /agent-connect */
export function startConnecting(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: 60, windowMs: 60_000 })
  return oauthErrors(async (c) => {
    limited(limit, c)
    const body = await jsonObject(c)
    const { origin, address } = c.get('requestOrigin')
    const { resource, request_uri: requestUri } = body
    if (resource !== undefined && (typeof resource !== 'string' || audienceOf(origin, resource) === undefined))
      throw new PdppError('invalid_request', 'resource is not an address of this server.', { param: 'resource' })
    if (requestUri !== undefined && typeof requestUri !== 'string')
      throw new PdppError('invalid_request', 'request_uri must be a string.', { param: 'request_uri' })
    const clientName = cleanName(body['client_name'])
    const client =
      body['client_id'] === undefined
        ? await context.clients.register({ client_name: clientName }, origin)
        : await clientOf(context, body['client_id'])
    const attempt = await context.authorization.connect.start({ client, clientName, requestUri, from: address })
    const pollUrl = `${origin}/agent-connect/${attempt.id}/token`
    return c.json(
      {
        object: 'agent_connect_attempt',
        id: attempt.id,
        status: 'pending',
        client_id: client.clientId,
        approval_url: `${origin}${CONSENT_PATH}/${attempt.uid}`,
        poll_url: pollUrl,
        token_url: pollUrl,
        ...INTERVAL,
        expires_in: attempt.expiresIn,
        polling_code: attempt.pollingCode,
      },
      201,
    )
  })
}

/** POST /agent-connect/{id}/token */
export function pollConnecting(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: 3000, windowMs: 60_000 })
  return oauthErrors(async (c) => {
    limited(limit, c)
    const { polling_code: code } = await jsonObject(c)
    const answer =
      typeof code === 'string' ? await context.authorization.connect.poll(c.req.param('id')!, code) : 'unknown'
    if (typeof answer === 'object')
      return c.json({ status: 'approved', ...answer, grant: await grantOf(context, answer) })
    const [status, body] = REFUSALS[answer]
    return c.json(body, status)
  })
}

const refusal = (status: string, error: string, description: string) => ({
  status,
  error,
  error_description: description,
})

const REFUSALS = {
  pending: [202, { ...refusal('pending', 'authorization_pending', 'The owner has not decided yet.'), ...INTERVAL }],
  denied: [403, refusal('denied', 'access_denied', 'The owner denied the request.')],
  ended: [403, refusal('ended', 'access_denied', 'The owner has ended this access.')],
  expired: [400, refusal('expired', 'expired_token', 'The owner did not decide in time.')],
  unknown: [401, refusal('unknown', 'invalid_grant', 'There is no such attempt, or the polling code is wrong.')],
} as const

async function grantOf(context: Context, { grant_id: id, grant_package_id: packageId }: TokenResponse) {
  if (id !== undefined) return (await context.grants.require(OWNER, id)).grant
  if (packageId === undefined) return
  const { members } = await context.packages.require(OWNER, packageId)
  return {
    package: true,
    package_id: packageId,
    child_grants: members.map(({ grant }) => ({ grant_id: grant.grant_id, source: { id: grant.source.id } })),
  }
}

async function clientOf(context: Context, clientId: unknown): Promise<Client> {
  const client = typeof clientId === 'string' ? await context.clients.resolve(clientId) : undefined
  if (client) return client
  throw new PdppError('invalid_client', 'This server does not know the client_id.', { param: 'client_id' })
}
