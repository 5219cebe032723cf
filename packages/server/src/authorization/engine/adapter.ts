import type { Adapter, AdapterPayload } from 'oidc-provider'
import { DEVICE_CODE } from '../../clients/client-metadata.ts'
import type { Client } from '../../clients/client-store.ts'
import { DATA_ACCESS } from '../requests/authorization-details.ts'
import { resourceOf, SCOPE } from '../requests/resources.ts'
import type { ArtifactStore } from '../stores/artifact-store.ts'
import type { Authorization } from '../stores/authorization-store.ts'
import { hasExpired } from '../tokens/expiry.ts'
import { storedName } from '../tokens/secrets.ts'

/** A code used twice within these milliseconds is a duplicate request, not theft: refuse it, but revoke nothing. */
const DUPLICATE_MS = 5000

/** How the engine's models map to our tables. */
export interface EngineTables {
  readonly artifacts: ArtifactStore
  findClient(clientId: string): Promise<Client | undefined>
  findAuthorization(authorizationId: string): Promise<Authorization | undefined>
  issueAccessToken(bearer: string, authorizationId: string): Promise<void>
  issueRefreshToken(token: string, authorizationId: string): Promise<void>
  revoke(authorizationId: string): Promise<void>
  alreadyUsed(): Error
}

/**
 * The engine's storage. Clients, grants and tokens are in our own tables. Everything else is an artifact, stored under
 * the hash of its id.
 */
export function adapterFor(origin: string, tables: EngineTables): (kind: string) => Adapter {
  return (kind) => {
    switch (kind) {
      case 'Client':
        return { ...NOTHING, find: (id) => payloadOf(tables.findClient(id), clientPayload) }
      case 'Grant':
        return {
          ...NOTHING,
          find: (id) => payloadOf(tables.findAuthorization(id), (found) => grantPayload(found, origin)),
        }
      case 'AccessToken':
        return {
          ...NOTHING,
          upsert: (id, { grantId }) => tables.issueAccessToken(id, grantId!),
          revokeByGrantId: (id) => tables.revoke(id),
        }
      case 'RefreshToken':
        return { ...NOTHING, upsert: (id, { grantId }) => tables.issueRefreshToken(id, grantId!) }
      default:
        return artifactAdapter(kind, tables)
    }
  }
}

const NOTHING: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
}

async function payloadOf<T>(row: Promise<T | undefined>, payload: (row: T) => AdapterPayload) {
  const value = await row
  return value && payload(value)
}

function artifactAdapter(kind: string, { artifacts, alreadyUsed }: EngineTables): Adapter {
  const name = (id: string) => storedName(kind, id)
  const read = async (id: string) => {
    const stored = await artifacts.find(kind, name(id))
    if (!stored) return
    // `hasExpired` rewrites an expired artifact, so read it again.
    const artifact = (await hasExpired(artifacts, stored)) ? ((await artifacts.find(kind, name(id))) ?? stored) : stored
    const content = JSON.parse(artifact.payload) as AdapterPayload
    const payload = { ...content, jti: id, ...(content.returnTo ? { returnTo: content.returnTo + id } : {}) }
    const { consumedAt } = artifact
    if (consumedAt === undefined || kind === 'Interaction' || Date.now() - consumedAt < DUPLICATE_MS) return payload
    return { ...payload, consumed: Math.floor(consumedAt / 1000) }
  }
  return {
    ...NOTHING,
    find: read,
    upsert: async (id, payload, expiresIn) => {
      await artifacts.put({
        kind,
        id: name(id),
        payload: JSON.stringify(withoutSecrets(payload)),
        authorizationId: payload.grantId,
        alias: aliasOf(kind, payload),
        expiresAt: Date.now() + (expiresIn ?? 0) * 1000,
      })
    },
    consume: async (id) => {
      // The engine checks first and marks later, so several requests may get here at once. Only one may continue.
      if (!(await artifacts.consume(kind, name(id), Date.now()))) throw alreadyUsed()
    },
    destroy: (id) => artifacts.remove(kind, name(id)),
    revokeByGrantId: (id) => artifacts.removeByAuthorization(kind, id),
  }
}

function aliasOf(kind: string, { userCode, uid }: AdapterPayload): string | undefined {
  const alias = kind === 'DeviceCode' ? userCode : kind === 'Session' ? uid : undefined
  return alias === undefined ? undefined : storedName(`${kind}.alias`, alias)
}

/** Removes secrets before storing: the id, which is also the end of `returnTo`, the user code and the cookie. */
function withoutSecrets({ jti, userCode: _code, returnTo, session, ...payload }: AdapterPayload): AdapterPayload {
  const { cookie: _cookie, ...kept } = session ?? { cookie: undefined }
  return {
    ...payload,
    ...(returnTo === undefined ? {} : { returnTo: returnTo.slice(0, returnTo.length - jti!.length) }),
    ...(session === undefined ? {} : { session: kept as NonNullable<AdapterPayload['session']> }),
  }
}

/**
 * A client in the engine's format. Every client is public. Every client counts as native, because the engine then
 * accepts any port on a loopback address (RFC 8252 section 7.3) and the schemes of applications.
 */
function clientPayload({ clientId, metadata }: Client): AdapterPayload {
  const returns = metadata.redirect_uris.length > 0
  return {
    client_id: clientId,
    ...(metadata.client_name === undefined ? {} : { client_name: metadata.client_name }),
    redirect_uris: [...metadata.redirect_uris],
    response_types: returns ? ['code'] : [],
    grant_types: [...(returns ? ['authorization_code'] : []), 'refresh_token', DEVICE_CODE],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    authorization_details_types: [DATA_ACCESS],
  } as AdapterPayload
}

/** An approval in the engine's format: who may get a code for which resource. Our grants say what it allows. */
function grantPayload(authorization: Authorization, origin: string): AdapterPayload {
  const { authorizationId, subjectId, clientId, audiences, createdAt } = authorization
  const issued = Math.floor(createdAt / 1000)
  return {
    jti: authorizationId,
    kind: 'Grant',
    accountId: subjectId,
    clientId,
    iat: issued,
    // The engine reads this only in the minutes after the approval. A refresh does not need it.
    exp: issued + 86_400,
    resources: Object.fromEntries(audiences.map((audience) => [resourceOf(origin, audience), SCOPE])),
  }
}
