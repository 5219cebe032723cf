import { ownAudienceOf, SCOPE } from '../requests/resources.ts'
import type { Artifact, ArtifactStore } from '../stores/artifact-store.ts'
import { hasExpired } from '../tokens/expiry.ts'
import { derivedSecret, storedName } from '../tokens/secrets.ts'
import type { Outcome, PendingRequest, PendingRequests } from './pending-request.ts'

export const DEVICE_PREFIX = 'device.'

/** The part of the engine's device code that we read. */
interface DeviceCode {
  readonly clientId: string
  readonly params: {
    readonly resource?: string | readonly string[]
    readonly authorization_details?: string
    readonly pdpp_profile?: string
  }
  readonly deviceInfo?: { readonly ip?: string }
  readonly iat: number
  readonly accountId?: string
  readonly error?: string
}

/**
 * Devices that wait for the owner to type their code. Only typing the code opens a review, and the uid of the review is
 * derived with a secret key, so nobody can send the owner a link that leads straight to the decision.
 */
export class DeviceRequests implements PendingRequests {
  readonly #artifacts: ArtifactStore
  readonly #key: Uint8Array

  constructor(artifacts: ArtifactStore, key: Uint8Array) {
    this.#artifacts = artifacts
    this.#key = key
  }

  /** The uid of the review for this code; undefined if no device waits with it. Ignores case and dashes. */
  async open(userCode: string): Promise<string | undefined> {
    const normalized = userCode.toUpperCase().replace(/[^A-Z0-9]/g, '')
    const code = await this.#artifacts.findByAlias('DeviceCode', storedName('DeviceCode.alias', normalized))
    if (!code || !isUndecided(code) || (await hasExpired(this.#artifacts, code))) return
    const uid = DEVICE_PREFIX + derivedSecret(this.#key, 'review', code.id)
    await this.#artifacts.put({
      kind: 'DeviceReview',
      id: storedName('DeviceReview', uid),
      payload: JSON.stringify({ code: code.id, userCode: normalized }),
      expiresAt: code.expiresAt,
    })
    return uid
  }

  async find(_origin: string, uid: string): Promise<PendingRequest | 'decided' | undefined> {
    const review = await this.#review(uid)
    const code = await this.#codeOf(uid)
    if (!review || !code || (await hasExpired(this.#artifacts, code))) return
    if (!isUndecided(code) || review.consumedAt !== undefined) return 'decided'
    const { clientId, params, deviceInfo, iat } = JSON.parse(code.payload) as DeviceCode
    return {
      uid,
      kind: 'device',
      profile: params.pdpp_profile === 'owner' ? 'owner' : 'grant',
      clientId,
      details: params.authorization_details,
      audiences: [params.resource ?? []].flat().map(ownAudienceOf),
      userCode: readReview(review).userCode,
      asked: { from: deviceInfo?.ip ?? 'unknown', at: iat * 1000 },
      expiresAt: code.expiresAt,
    }
  }

  claim(uid: string): Promise<boolean> {
    return this.#artifacts.consume('DeviceReview', storedName('DeviceReview', uid), Date.now())
  }

  async settle(_origin: string, uid: string, outcome: Outcome): Promise<undefined> {
    const code = await this.#codeOf(uid)
    if (!code) return
    const payload = JSON.parse(code.payload) as DeviceCode
    const decision =
      'denied' in outcome
        ? { error: 'access_denied', errorDescription: 'The owner denied the request.' }
        : {
            accountId: outcome.subjectId,
            grantId: outcome.authorizationId,
            authTime: Math.floor(Date.now() / 1000),
            scope: SCOPE,
            resource: payload.params.resource,
          }
    const authorizationId = 'denied' in outcome ? undefined : outcome.authorizationId
    await this.#artifacts.put({ ...code, authorizationId, payload: JSON.stringify({ ...payload, ...decision }) })
  }

  #review(uid: string): Promise<Artifact | undefined> {
    return this.#artifacts.find('DeviceReview', storedName('DeviceReview', uid))
  }

  async #codeOf(uid: string): Promise<Artifact | undefined> {
    const review = await this.#review(uid)
    return review && this.#artifacts.find('DeviceCode', readReview(review).code)
  }
}

const readReview = ({ payload }: Artifact) => JSON.parse(payload) as { code: string; userCode: string }

function isUndecided({ payload, consumedAt }: Artifact): boolean {
  const { accountId, error } = JSON.parse(payload) as DeviceCode
  return accountId === undefined && error === undefined && consumedAt === undefined
}
