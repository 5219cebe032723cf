import type { ArtifactStore } from './stores/artifact-store.ts'
import type { RefreshService } from './tokens/refresh-service.ts'
import { storedName } from './tokens/secrets.ts'

const PUSHED = 'PushedAuthorizationRequest'
const PUSHED_URN = 'urn:ietf:params:oauth:request_uri:'

/** The id under which a pushed request is stored; undefined if the URI is not that of a pushed request. */
export function pushedName(requestUri: string): string | undefined {
  return requestUri.startsWith(PUSHED_URN) ? storedName(PUSHED, requestUri.slice(PUSHED_URN.length)) : undefined
}

/** Finds the client that a pushed request, a code or a refresh token belongs to. */
export class FlowClients {
  readonly #artifacts: ArtifactStore
  readonly #refresh: RefreshService

  constructor(artifacts: ArtifactStore, refresh: RefreshService) {
    this.#artifacts = artifacts
    this.#refresh = refresh
  }

  /** The client that pushed a request; undefined if the request does not exist. */
  async pushedBy(requestUri: string | null): Promise<string | undefined> {
    const name = requestUri === null ? undefined : pushedName(requestUri)
    const found = name === undefined ? undefined : await this.#artifacts.find(PUSHED, name)
    if (!found) return
    // The engine stores the request as an unsigned JWT.
    const { request } = JSON.parse(found.payload) as { request: string }
    const claims = Buffer.from(request.split('.')[1] ?? '', 'base64url').toString('utf8')
    return (JSON.parse(claims) as { iss?: string }).iss
  }

  /** The client that got a code or a refresh token. */
  async clientOfToken(code: string | null, refreshToken: string | null): Promise<string | undefined> {
    if (refreshToken !== null) return this.#refresh.clientOf(refreshToken)
    if (code === null) return
    const found = await this.#artifacts.find('AuthorizationCode', storedName('AuthorizationCode', code))
    return found && (JSON.parse(found.payload) as { clientId?: string }).clientId
  }
}
