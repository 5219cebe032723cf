import type { CachedCredential } from '@pdpp/mcp-server/client'
import { grantOf } from '@pdpp/mcp-server/client'
import { endpoint, form, metadataUrl, request } from '@pdpp/mcp-server/doctor'

/** `unsupported`: the server does not let clients revoke their tokens. */
export type Revocation = 'revoked' | 'unsupported' | 'unreachable'

/** Revokes the tokens (RFC 7009). If the server still accepts them, asks it to revoke the whole grant. */
export async function revoke(stored: CachedCredential): Promise<Revocation> {
  const returned = await returnTokens(stored)
  if (returned === 'revoked') return 'revoked'
  const ended = await endGrant(stored)
  if (ended === 'revoked') return 'revoked'
  return returned === 'unreachable' || ended === 'unreachable' ? 'unreachable' : 'unsupported'
}

async function returnTokens(stored: CachedCredential): Promise<Revocation> {
  const issuer = issuerOf(stored)
  const metadata = await request(metadataUrl(issuer)).catch(() => undefined)
  const url = metadata?.body['issuer'] === issuer ? endpoint(metadata.body, 'revocation_endpoint') : undefined
  const clientId = stored.client?.client_id
  if (url === undefined || clientId === undefined) return 'unsupported'
  const { access_token: access, refresh_token: refresh } = stored.credential
  // Revoke the refresh token first, because that ends its access tokens too. There may be none.
  for (const [token, hint] of [
    [refresh, 'refresh_token'],
    [access, 'access_token'],
  ] as const) {
    if (!token) continue
    const answer = await request(url, {
      method: 'POST',
      body: form({ token, token_type_hint: hint, client_id: clientId }),
    }).catch(() => undefined)
    if (answer === undefined) return 'unreachable'
    if (answer.status >= 300) return 'unsupported'
  }
  // The server answers the same for unknown tokens (RFC 7009 section 2.2), so check that the token stopped working.
  return (await accepted(stored)) === true ? 'unsupported' : 'revoked'
}

/** Tries both addresses, because the route belongs to the authorization server, which may not be the data server. */
async function endGrant(stored: CachedCredential): Promise<Revocation> {
  const id = grantOf(stored)
  if (id === undefined) return 'unsupported'
  let reached = false
  for (const origin of new Set([issuerOf(stored), providerOf(stored)])) {
    const answer = await request(`${origin}/grants/${encodeURIComponent(id)}/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stored.credential.access_token}` },
    }).catch(() => undefined)
    reached ||= answer !== undefined
    // The grant counts as revoked only if the server no longer accepts the token.
    if (answer !== undefined && answer.status < 300 && (await accepted(stored)) !== true) return 'revoked'
  }
  return reached ? 'unsupported' : 'unreachable'
}

const providerOf = ({ provider_url: url }: CachedCredential): string => url.replace(/\/+$/, '')
const issuerOf = (stored: CachedCredential): string =>
  (stored.authorization_server ?? stored.provider_url).replace(/\/+$/, '')

/** True if the server still accepts the token. Undefined if it does not answer. */
async function accepted(stored: CachedCredential): Promise<boolean | undefined> {
  const answer = await request(`${providerOf(stored)}/v1/schema?view=compact`, {
    headers: { authorization: `Bearer ${stored.credential.access_token}` },
  }).catch(() => undefined)
  return answer === undefined ? undefined : answer.status === 200
}
