import type { CachedCredential } from '../../credentials/credential-file.ts'
import { type HttpRequest, httpFetch } from '../../resource-server/http-fetch.ts'

const TIMEOUT_MS = 15_000

/** Refreshes a token (RFC 6749 section 6) at the token endpoint from the authorization server's metadata. */
export async function refreshed(stored: CachedCredential): Promise<CachedCredential> {
  const issuer = (stored.authorization_server ?? stored.provider_url).replace(/\/+$/, '')
  const metadata = await json(await request(`${issuer}/.well-known/oauth-authorization-server`))
  const endpoint = metadata['token_endpoint']
  if (metadata['issuer'] !== issuer || typeof endpoint !== 'string' || !/^https?:\/\//.test(endpoint))
    throw new Error('the authorization server names no token endpoint.')
  const response = await request(endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: String(stored.credential.refresh_token),
      ...(stored.client?.client_id === undefined ? {} : { client_id: stored.client.client_id }),
    }),
  })
  const answer = await json(response)
  const token = answer['access_token']
  if (typeof token !== 'string')
    throw new Error(`the authorization server answered ${String(answer['error'] ?? response.status)}.`)
  const seconds = answer['expires_in']
  return {
    ...stored,
    credential: {
      ...stored.credential,
      access_token: token,
      refresh_token:
        typeof answer['refresh_token'] === 'string' ? answer['refresh_token'] : stored.credential.refresh_token!,
      expires_at: typeof seconds === 'number' ? new Date(Date.now() + seconds * 1000).toISOString() : null,
    },
  }
}

function request(url: string, init: HttpRequest = {}): Promise<Response> {
  const headers = { accept: 'application/json', 'user-agent': '@pdpp/mcp-server' }
  return httpFetch(url, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
}

async function json(response: Response): Promise<Record<string, unknown>> {
  const value: unknown = await response.json().catch(() => ({}))
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
