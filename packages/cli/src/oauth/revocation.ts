import { endpoint, form, metadataUrl, request } from '@pdpp/mcp-server/checks'
import type { CachedCredential } from '@pdpp/mcp-server/client'
import { grantOf } from '@pdpp/mcp-server/client'

/** `unsupported`: the server has no way for a client to give a token back. */
export type Revocation = 'revoked' | 'unsupported' | 'unreachable'

/** RFC 7009 where the server has it; else the route by which a client ends its own grant. */
export async function revoke(stored: CachedCredential): Promise<Revocation> {
  const issuer = (stored.authorization_server ?? stored.provider_url).replace(/\/+$/, '')
  const metadata = await request(metadataUrl(issuer)).catch(() => undefined)
  const url = metadata?.body['issuer'] === issuer ? endpoint(metadata.body, 'revocation_endpoint') : undefined
  const clientId = stored.client?.client_id
  const { access_token: access, refresh_token: refresh } = stored.credential
  if (url !== undefined && clientId !== undefined) {
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
    if ((await accepted(stored)) !== true) return 'revoked'
  }
  return endGrant(stored)
}

async function endGrant(stored: CachedCredential): Promise<Revocation> {
  const id = grantOf(stored)
  if (id === undefined) return 'unsupported'
  const answer = await request(`${stored.provider_url.replace(/\/+$/, '')}/grants/${encodeURIComponent(id)}/revoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stored.credential.access_token}` },
  }).catch(() => undefined)
  if (answer === undefined) return 'unreachable'
  return answer.status < 300 ? 'revoked' : 'unsupported'
}

/** Whether the server takes the token still; undefined when it does not answer. */
async function accepted(stored: CachedCredential): Promise<boolean | undefined> {
  const answer = await request(`${stored.provider_url.replace(/\/+$/, '')}/v1/schema?view=compact`, {
    headers: { authorization: `Bearer ${stored.credential.access_token}` },
  }).catch(() => undefined)
  return answer === undefined ? undefined : answer.status === 200
}
