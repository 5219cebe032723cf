import { DEVICE_CODE } from '../clients/client-metadata.ts'
import { PRE_REGISTERED } from '../clients/client-service.ts'
import { DATA_ACCESS } from './requests/authorization-details.ts'
import { SCOPE } from './requests/resources.ts'

/** For the protected resource metadata (RFC 9728): the servers that issue tokens for this origin. */
export function authorizationServers(origin: string): string[] {
  return [origin]
}

/** GET /.well-known/oauth-authorization-server (RFC 8414): everything that hosts read before they choose a flow. */
export function authorizationServerMetadata(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/oauth/register`,
    pushed_authorization_request_endpoint: `${origin}/oauth/par`,
    device_authorization_endpoint: `${origin}/oauth/device_authorization`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    introspection_endpoint: `${origin}/introspect`,
    agent_connect_endpoint: `${origin}/agent-connect`,
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_CODE],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
    // offline_access has no effect here, but some hosts ask for a refresh token only if it is listed.
    scopes_supported: [SCOPE, 'offline_access'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    require_pushed_authorization_requests: false,
    authorization_details_types_supported: [DATA_ACCESS],
    pdpp_authorization_details_types_supported: [DATA_ACCESS],
    pdpp_registration_modes_supported: ['dynamic', 'pre_registered_public', 'client_id_metadata_document'],
    pdpp_pre_registered_public_clients: PRE_REGISTERED.map(({ clientId, name }) => ({
      client_id: clientId,
      client_name: name,
      token_endpoint_auth_method: 'none',
    })),
    pdpp_provider_connect_capabilities: ['owner_self_export', 'cli_device_connect', 'third_party_client_connect'],
    pdpp_device_authorization_profiles_supported: [
      {
        profile: 'grant_scoped_mcp',
        pdpp_token_kind: 'client',
        normal_mcp_setup: true,
        authorization_details_type: DATA_ACCESS,
        required_parameters: ['client_id', 'resource', 'authorization_details'],
      },
      {
        profile: 'trusted_owner_agent',
        pdpp_token_kind: 'owner',
        normal_mcp_setup: false,
        mcp_owner_bearer_rejected: true,
      },
    ],
  }
}
