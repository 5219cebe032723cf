import type { AdapterPayload } from 'oidc-provider'
import { DEVICE_CODE } from '../../clients/client-metadata.ts'
import type { Client } from '../../clients/client-store.ts'
import { DATA_ACCESS } from '../requests/authorization-details.ts'
import { resourceOf, SCOPE } from '../requests/resources.ts'
import type { Authorization } from '../stores/authorization-store.ts'

/**
 * A client in the engine's format. Every client is public. Every client counts as native, because the engine then
 * accepts any port on a loopback address (RFC 8252 section 7.3) and the schemes of applications.
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

/** An approval in the engine's format: who may get a code for which resource. Our grants say what it allows. */
export function grantPayload(authorization: Authorization, origin: string): AdapterPayload {
  const { authorizationId, subjectId, clientId, audiences, createdAt } = authorization
  const issued = Math.floor(createdAt / 1000)
  return {
    jti: authorizationId,
    kind: 'Grant',
    accountId: subjectId,
    clientId,
    iat: issued,
    // The engine reads this only in the minutes after the approval. A refresh does not need it.
    exp: issued + 86_400,
    resources: Object.fromEntries(audiences.map((audience) => [resourceOf(origin, audience), SCOPE])),
  }
}
