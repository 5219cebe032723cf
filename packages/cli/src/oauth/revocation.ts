import type { CachedCredential } from '@pdpp/mcp-server/client'
import { grantOf } from '@pdpp/mcp-server/client'
import { endpoint, form, metadataUrl, request } from '@pdpp/mcp-server/doctor'

/** `unsupported`: the server has no way for a client to give a token back. */
export type Revocation = 'revoked' | 'unsupported' | 'unreachable'

/** RFC 7009 where the server has it; where that does not end it, the route by which a client ends its own grant. */
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
  // The refresh token first: it ends what came from it. The access token may have come without one.
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
  // The answer is the same for tokens that it does not know (RFC 7009 section 2.2): look.
  return (await accepted(stored)) === true ? 'unsupported' : 'revoked'
}

/** The route is the authorization server's, which may be at another address than the data. */
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
    // Only a token that is not taken any more is revoked.
    if (answer !== undefined && answer.status < 300 && (await accepted(stored)) !== true) return 'revoked'
  }
  return reached ? 'unsupported' : 'unreachable'
}

const providerOf = ({ provider_url: url }: CachedCredential): string => url.replace(/\/+$/, '')
const issuerOf = (stored: CachedCredential): string =>
  (stored.authorization_server ?? stored.provider_url).replace(/\/+$/, '')

/** Whether the server takes the token still; undefined when it does not answer. */
async function accepted(stored: CachedCredential): Promise<boolean | undefined> {
  const answer = await request(`${providerOf(stored)}/v1/schema?view=compact`, {
    headers: { authorization: `Bearer ${stored.credential.access_token}` },
  }).catch(() => undefined)
  return answer === undefined ? undefined : answer.status === 200
}
