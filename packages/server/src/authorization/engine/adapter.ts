import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Client } from '../../clients/client-store.ts'
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
  clientPayload(client: Client): AdapterPayload
  grantPayload(authorization: Authorization): AdapterPayload
  alreadyUsed(): Error
}

/**
 * The engine's storage. Clients, grants and tokens are in our own tables. Everything else is an artifact, stored under
 * the hash of its id.
 */
export function adapterFor(tables: EngineTables): (kind: string) => Adapter {
  return (kind) => {
    switch (kind) {
      case 'Client':
        return { ...NOTHING, find: (id) => payloadOf(tables.findClient(id), tables.clientPayload) }
      case 'Grant':
        return { ...NOTHING, find: (id) => payloadOf(tables.findAuthorization(id), tables.grantPayload) }
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
