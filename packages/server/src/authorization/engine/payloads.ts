import type { AdapterPayload } from 'oidc-provider'
import { DEVICE_CODE } from '../../clients/client-metadata.ts'
import type { Client } from '../../clients/client-store.ts'
import { DATA_ACCESS } from '../requests/authorization-details.ts'
import { resourceOf, SCOPE } from '../requests/resources.ts'
import type { Authorization } from '../stores/authorization-store.ts'

/**
 * A client in the engine's words. Every client is public; every one counts as native, which is what makes the port of a
 * loopback address free (RFC 8252 section 7.3) and schemes of applications allowed.
 */
export function clientPayload({ clientId, metadata }: Client): AdapterPayload {
  const returns = metadata.redirect_uris.length > 0
  return {
    client_id: clientId,
    ...(metadata.client_name === undefined ? {} : { client_name: metadata.client_name }),
    redirect_uris: [...metadata.redirect_uris],
    response_types: returns ? ['code'] : [],
    grant_types: [...(returns ? ['authorization_code'] : []), 'refresh_token', DEVICE_CODE],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    authorization_details_types: [DATA_ACCESS],
  } as AdapterPayload
}

/** An approval in the engine's words: who may have a code for what. What it really allows is in our grants. */
export function grantPayload(authorization: Authorization, origin: string): AdapterPayload {
  const { authorizationId, subjectId, clientId, audiences, createdAt } = authorization
  const issued = Math.floor(createdAt / 1000)
  return {
    jti: authorizationId,
    kind: 'Grant',
    accountId: subjectId,
    clientId,
    iat: issued,
    // Asked for in the minutes after the approval only; refreshing does not go through it.
    exp: issued + 86_400,
    resources: Object.fromEntries(audiences.map((audience) => [resourceOf(origin, audience), SCOPE])),
  }
}
