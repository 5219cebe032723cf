import { PAGE_BYTES, PAGE_LIMIT, PDPP_VERSION } from '@pdpp/protocol'
import { authorizationServers } from '../authorization/metadata.ts'

/** GET / */
export function discoveryIndex() {
  return {
    object: 'pdpp_discovery_index',
    role: 'resource_server',
    resource_name: 'PDPP Resource Server',
    pdpp_version: PDPP_VERSION,
    links: {
      well_known: '/.well-known/oauth-protected-resource',
      schema: '/v1/schema',
      core_query_base: '/v1',
      connectors: '/v1/connectors',
    },
  }
}

/** GET /.well-known/oauth-protected-resource (RFC 9728): what this server is and which parameters it takes. */
export function protectedResource(origin: string) {
  return {
    resource: origin,
    resource_name: 'PDPP Resource Server',
    authorization_servers: authorizationServers(origin),
    bearer_methods_supported: ['header'],
    scopes_supported: ['pdpp:read'],
    pdpp_core_query_base: `${origin}/v1`,
    pdpp_self_export_supported: true,
    pdpp_token_kinds_supported: ['owner', 'client'],
    pdpp_discovery_hints: {
      schema_endpoint: '/v1/schema',
      query_base: '/v1',
      connectors_endpoint: '/v1/connectors',
      streams_endpoint_template: '/v1/streams/{stream}',
      search: {
        endpoint: '/v1/search',
        scope_param: 'streams[]',
        modes: ['lexical'],
        since: true,
        until: true,
        count: true,
        max_bytes: true,
      },
      records: { filter: true, expand: true, around: true, max_bytes: true },
      changes_since_bootstrap: 'beginning',
      aggregate: { endpoint_template: '/v1/streams/{stream}/aggregate' },
      page: {
        default_limit: PAGE_LIMIT.default,
        max_limit: PAGE_LIMIT.max,
        max_bytes: true,
        max_bytes_limit: PAGE_BYTES.max,
      },
    },
  }
}
