import { PdppError } from '@pdpp/protocol'
import type { ClientService } from '../../clients/client-service.ts'
import type { Client } from '../../clients/client-store.ts'
import { tokenText } from '../../tokens/owner-references.ts'
import type { TokenService } from '../../tokens/token-service.ts'
import type { Outcome, PendingRequest, PendingRequests } from '../consent/pending-request.ts'
import type { Artifact, ArtifactStore } from '../stores/artifact-store.ts'
import type { Authorization, AuthorizationStore } from '../stores/authorization-store.ts'
import { hasExpired } from '../tokens/expiry.ts'
import type { RefreshService } from '../tokens/refresh-service.ts'
import { derivedSecret, randomSecret, storedName } from '../tokens/secrets.ts'
import { ApprovalEnded, type TokenIssuer, type TokenResponse } from '../tokens/token-issuer.ts'

export const CONNECT_PREFIX = 'connect.'
const KIND = 'ConnectAttempt'
const ATTEMPT = 'agc_'
const PENDING_URN = 'urn:pdpp:pending-consent:'
/** Seconds that the owner has to decide. */
export const ATTEMPT_SECONDS = 300
/** Min. seconds between two polls of a client that waits for the owner's decision. */
export const POLL_SECONDS = 2

interface Attempt {
  readonly clientId: string
  readonly clientName?: string
  readonly details?: string
  readonly from: string
  readonly at: number
  /** Hash of the polling code; absent while the request is only staged. */
  readonly poll?: string
  readonly outcome?: Outcome
}

export interface ConnectOptions {
  readonly artifacts: ArtifactStore
  readonly authorizations: AuthorizationStore
  readonly clients: ClientService
  readonly tokens: TokenService
  readonly issuer: TokenIssuer
  readonly refresh: RefreshService
  readonly key: Uint8Array
}

export type PollAnswer = 'pending' | 'denied' | 'ended' | 'expired' | 'unknown' | TokenResponse

/**
 * Connects a command that has no browser: it shows the owner a link and polls until they have decided. The tokens are
 * derived from the polling code, so a poll whose answer was lost can be repeated although only hashes are stored.
 */
export class AgentConnect implements PendingRequests {
  readonly #options: ConnectOptions

  constructor(options: ConnectOptions) {
    this.#options = options
  }

  /** Stores a client's request until the client starts to connect with the `request_uri`. */
  async stage(request: { client: Client; details: string; clientName?: string | undefined; from: string }) {
    const handle = randomSecret()
    const { client, details, clientName, from } = request
    const attempt = { clientId: client.clientId, details, from, at: Date.now() }
    await this.#put(handle, clientName === undefined ? attempt : { ...attempt, clientName })
    return { requestUri: PENDING_URN + handle, uid: uidOf(handle) }
  }

  async start(request: {
    client: Client
    clientName?: string | undefined
    requestUri?: string | undefined
    from: string
  }): Promise<{ id: string; uid: string; pollingCode: string; expiresIn: number }> {
    const { client, clientName, requestUri, from } = request
    const handle = requestUri === undefined ? randomSecret() : handleOf(requestUri)
    const staged = requestUri === undefined ? undefined : await this.#staged(handle, client)
    const pollingCode = `agc_poll_${randomSecret()}`
    const fresh = {
      clientId: client.clientId,
      from,
      at: Date.now(),
      ...(clientName === undefined ? {} : { clientName }),
    }
    const expiresAt = await this.#put(handle, { ...(staged ?? fresh), poll: storedName('polling', pollingCode) })
    const expiresIn = Math.ceil((expiresAt - Date.now()) / 1000)
    return { id: ATTEMPT + handle, uid: uidOf(handle), pollingCode, expiresIn }
  }

  async poll(id: string, pollingCode: string): Promise<PollAnswer> {
    const artifact = id.startsWith(ATTEMPT) ? await this.#find(id.slice(ATTEMPT.length)) : undefined
    const attempt = artifact && read(artifact)
    if (!attempt || attempt.poll !== storedName('polling', pollingCode)) return 'unknown'
    if (await hasExpired(this.#options.artifacts, artifact)) return 'expired'
    if (attempt.outcome === undefined) return 'pending'
    if ('denied' in attempt.outcome) return 'denied'
    const authorization = await this.#options.authorizations.find(attempt.outcome.authorizationId)
    try {
      return authorization ? await this.#tokens(authorization, pollingCode) : 'unknown'
    } catch (error) {
      // The owner may have ended the access before the command polled again.
      if (error instanceof ApprovalEnded) return 'ended'
      throw error
    }
  }

  async find(_origin: string, uid: string): Promise<PendingRequest | 'decided' | undefined> {
    const artifact = await this.#find(uid.slice(CONNECT_PREFIX.length))
    if (!artifact || (await hasExpired(this.#options.artifacts, artifact))) return
    if (artifact.consumedAt !== undefined) return 'decided'
    const { clientId, clientName, details, from, at } = read(artifact)
    // A client that connects this way may use both MCP and REST.
    const audiences = ['mcp', 'v1'] as const
    const asked = { from, at }
    const { expiresAt } = artifact
    return { uid, kind: 'connect', profile: 'grant', clientId, clientName, details, audiences, asked, expiresAt }
  }

  async claim(uid: string): Promise<boolean> {
    return this.#options.artifacts.consume(KIND, nameOf(uid.slice(CONNECT_PREFIX.length)), Date.now())
  }

  async settle(_origin: string, uid: string, outcome: Outcome): Promise<undefined> {
    const artifact = await this.#find(uid.slice(CONNECT_PREFIX.length))
    if (!artifact) return
    const payload = JSON.stringify({ ...read(artifact), outcome })
    // Leave the client at least a minute to fetch the result.
    const expiresAt = Math.max(artifact.expiresAt, Date.now() + 60_000)
    await this.#options.artifacts.put({ ...artifact, payload, expiresAt })
  }

  async #tokens(authorization: Authorization, pollingCode: string): Promise<TokenResponse> {
    const { tokens, issuer, clients, refresh, key } = this.#options
    const client = await clients.find(authorization.clientId)
    // RFC 7591: a client that did not register for refresh tokens cannot use them.
    const refreshes = client?.metadata.grant_types.includes('refresh_token') === true && !authorization.singleUse
    const reference = await tokens.references.of(authorization.subjectId)
    const bearer = tokenText(reference, derivedSecret(key, 'connect', pollingCode))
    const refreshToken = tokenText(reference, derivedSecret(key, 'connect-refresh', pollingCode))
    let response: TokenResponse
    try {
      const issuedBefore = await tokens.find(bearer)
      if (issuedBefore) response = await issuer.describe(bearer, authorization, issuedBefore.token.expiresAt)
      else {
        response = await issuer.issue(bearer, authorization, { audience: authorization.audiences, lasting: !refreshes })
        if (refreshes) await refresh.start(refreshToken, authorization)
      }
    } catch (error) {
      // Another poll may have issued the token at the same time.
      const issued = await tokens.find(bearer)
      if (!issued) throw error
      response = await issuer.describe(bearer, authorization, issued.token.expiresAt)
    }
    return refreshes ? { ...response, refresh_token: refreshToken } : response
  }

  async #staged(handle: string, client: Client): Promise<Attempt> {
    const artifact = await this.#find(handle)
    if (!artifact || (await hasExpired(this.#options.artifacts, artifact)))
      throw new PdppError('invalid_request', 'The request_uri is unknown or has expired.', { param: 'request_uri' })
    const attempt = read(artifact)
    if (attempt.clientId !== client.clientId)
      throw new PdppError('invalid_request', 'The request_uri belongs to another client.', { param: 'client_id' })
    if (attempt.poll !== undefined)
      throw new PdppError('invalid_request', 'The request_uri has already been used.', { param: 'request_uri' })
    return attempt
  }

  #find(handle: string): Promise<Artifact | undefined> {
    return this.#options.artifacts.find(KIND, nameOf(handle))
  }

  async #put(handle: string, attempt: Attempt): Promise<number> {
    const expiresAt = Date.now() + ATTEMPT_SECONDS * 1000
    await this.#options.artifacts.put({ kind: KIND, id: nameOf(handle), payload: JSON.stringify(attempt), expiresAt })
    return expiresAt
  }
}

const nameOf = (handle: string): string => storedName(KIND, handle)
const uidOf = (handle: string): string => CONNECT_PREFIX + handle
const handleOf = (requestUri: string): string =>
  requestUri.startsWith(PENDING_URN) ? requestUri.slice(PENDING_URN.length) : ''
const read = ({ payload }: Artifact): Attempt => JSON.parse(payload) as Attempt
