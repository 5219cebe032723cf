import type { CachedCredential } from '@pdpp/mcp-server'
import type { Access } from './agent.ts'

/** What `pdpp connect` leaves for the stdio adapter (points settled, 26). */
export function cachedCredential(
  providerUrl: string,
  access: Access,
  credential: Partial<CachedCredential['credential']> = {},
): CachedCredential {
  return {
    provider_url: providerUrl,
    authorization_server: providerUrl,
    scope: 'pdpp:read',
    client: { client_id: 'cli_test', client_name: 'Conformance' },
    credential: {
      access_token: access.token,
      token_type: 'Bearer',
      expires_at: null,
      grant_id: access.id,
      ...credential,
    },
    created_at: new Date().toISOString(),
  }
}
