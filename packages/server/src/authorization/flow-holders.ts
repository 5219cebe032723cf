import type { ArtifactStore } from './stores/artifact-store.ts'
import type { RefreshService } from './tokens/refresh-service.ts'
import { storedName } from './tokens/secrets.ts'

export const PUSHED = 'PushedAuthorizationRequest'
const PUSHED_URN = 'urn:ietf:params:oauth:request_uri:'

/** The name under which a pushed request is kept; undefined where the address is none of a pushed one. */
export function pushedName(requestUri: string): string | undefined {
  return requestUri.startsWith(PUSHED_URN) ? storedName(PUSHED, requestUri.slice(PUSHED_URN.length)) : undefined
}

/** Which client something of a flow was given to, for those who show it. */
export class FlowHolders {
  readonly #artifacts: ArtifactStore
  readonly #refresh: RefreshService

  constructor(artifacts: ArtifactStore, refresh: RefreshService) {
    this.#artifacts = artifacts
    this.#refresh = refresh
  }

  /** Who pushed a request; undefined where there is none. */
  async pushedBy(requestUri: string | null): Promise<string | undefined> {
    const name = requestUri === null ? undefined : pushedName(requestUri)
    const found = name === undefined ? undefined : await this.#artifacts.find(PUSHED, name)
    if (!found) return
    // The engine keeps the request as an unsigned JWT of its own making.
    const { request } = JSON.parse(found.payload) as { request: string }
    const claims = Buffer.from(request.split('.')[1] ?? '', 'base64url').toString('utf8')
    return (JSON.parse(claims) as { iss?: string }).iss
  }

  /** Who a code or a refresh token was given to. */
  async holderOf(code: string | null, refreshToken: string | null): Promise<string | undefined> {
    if (refreshToken !== null) return this.#refresh.clientOf(refreshToken)
    if (code === null) return
    const found = await this.#artifacts.find('AuthorizationCode', storedName('AuthorizationCode', code))
    return found && (JSON.parse(found.payload) as { clientId?: string }).clientId
  }
}
