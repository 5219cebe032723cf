import { PAGE_BYTES, PAGE_LIMIT, PDPP_VERSION } from '@pdpp/protocol'
import { authorizationServers } from '../authorization/metadata.ts'
import { resourceOf } from '../authorization/requests/resources.ts'
import {
  CHANGE_KINDS,
  EVENT_TYPES,
  IDLE,
  MAX_POLL_SECONDS,
  MAX_SUBSCRIPTIONS_PER_GRANT,
  RETRY,
  ROTATION_MS,
  UNREAD_MS,
} from '../subscriptions/limits.ts'
import type { Audience } from '../tokens/token-store.ts'

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

/** Tells clients that were written for other PDPP servers that this one has a search. */
const LEXICAL_RETRIEVAL = {
  supported: true,
  endpoint: '/v1/search',
  cross_stream: true,
  snippets: true,
  default_limit: PAGE_LIMIT.default,
  max_limit: PAGE_LIMIT.max,
  cursor_supported: true,
  count_supported: true,
}

const seconds = (ms: number): number => ms / 1000

const EVENT_SUBSCRIPTIONS = {
  supported: true,
  stability: 'reference_extension',
  endpoint: '/v1/event-subscriptions',
  delivery: ['webhook', 'poll'],
  event_types: EVENT_TYPES,
  change_kinds: CHANGE_KINDS,
  signing: 'standard-webhooks',
  max_subscriptions_per_grant: MAX_SUBSCRIPTIONS_PER_GRANT,
  max_wait_seconds: MAX_POLL_SECONDS,
  idle_seconds: { min: IDLE.minSeconds, max: IDLE.maxSeconds },
  unread_events_kept_seconds: seconds(UNREAD_MS),
  secret_overlap_seconds: seconds(ROTATION_MS),
  retry: {
    first_retry_seconds: seconds(RETRY.firstMs),
    factor: RETRY.factor,
    max_interval_seconds: seconds(RETRY.maxMs),
    jitter: RETRY.jitter,
    timeout_seconds: seconds(RETRY.timeoutMs),
    disabled_after_seconds: seconds(RETRY.giveUpMs),
  },
}

/** GET /.well-known/oauth-protected-resource (RFC 9728): describes this server and the parameters it supports. */
export function protectedResource(origin: string) {
  return {
    resource: origin,
    resource_name: 'PDPP Resource Server',
    authorization_servers: authorizationServers(origin),
    bearer_methods_supported: ['header'],
    scopes_supported: ['pdpp:read'],
    pdpp_core_query_base: `${origin}/v1`,
    pdpp_provider_connect_version: PDPP_VERSION,
    pdpp_self_export_supported: true,
    pdpp_token_kinds_supported: ['owner', 'client', 'mcp_package'],
    capabilities: { lexical_retrieval: LEXICAL_RETRIEVAL, client_event_subscriptions: EVENT_SUBSCRIPTIONS },
    pdpp_agent_discovery: agentDiscovery(origin),
    pdpp_discovery_hints: {
      schema_endpoint: '/v1/schema',
      query_base: '/v1',
      connectors_endpoint: '/v1/connectors',
      streams_endpoint_template: '/v1/streams/{stream}',
      search: {
        endpoint: '/v1/search',
        scope_param: 'streams[]',
        filter_requires_single_stream: false,
        since: true,
        until: true,
        count: true,
        max_bytes: true,
        result_bytes: true,
        urls: true,
        highlight: true,
        made_titles: true,
      },
      records: {
        filter: true,
        expand: true,
        around: true,
        max_bytes: true,
        result_bytes: true,
        label: true,
        urls: true,
        binary: true,
        long_field_chars: true,
      },
      field_window: { result_bytes: true },
      blobs: { endpoint_template: '/v1/blobs/{blob_id}', range: true, indirection: 'fetch_url' },
      blob_indirection: 'data.blob_ref.fetch_url',
      changes_since_bootstrap: 'beginning',
      changes_since_now: true,
      aggregate: { endpoint_template: '/v1/streams/{stream}/aggregate', granularity_default: 'by_span' },
      page: {
        default_limit: PAGE_LIMIT.default,
        max_limit: PAGE_LIMIT.max,
        max_bytes: true,
        max_bytes_limit: PAGE_BYTES.max,
      },
    },
  }
}

/** GET /.well-known/oauth-protected-resource/mcp: the hosted adapter, a separate resource (003.9.2, 003.18). */
export function mcpProtectedResource(origin: string) {
  return hostedResource(origin, 'mcp', { name: 'PDPP Hosted MCP Resource', discovery: agentDiscovery(origin) })
}

/** GET /.well-known/oauth-protected-resource/mcp/developer. No other document names the developer surface (000.1.1). */
export function developerProtectedResource(origin: string) {
  const { mcp, ...rest } = agentDiscovery(origin)
  const discovery = { ...rest, mcp: { ...mcp, endpoint: `${origin}/mcp/developer`, tool_surface: 'developer' } }
  return hostedResource(origin, 'mcp/developer', { name: 'PDPP Developer MCP Resource', discovery })
}

function hostedResource(
  origin: string,
  audience: Audience,
  { name, discovery }: { readonly name: string; readonly discovery: object },
) {
  return {
    resource: resourceOf(origin, audience),
    resource_name: name,
    authorization_servers: authorizationServers(origin),
    bearer_methods_supported: ['header'],
    scopes_supported: ['pdpp:read'],
    pdpp_core_query_base: `${origin}/v1`,
    pdpp_provider_connect_version: PDPP_VERSION,
    // Owners export their data from `/v1`. This resource refuses owner tokens.
    pdpp_self_export_supported: false,
    pdpp_token_kinds_supported: ['client', 'mcp_package'],
    pdpp_agent_discovery: discovery,
  }
}

/** Tells agents where to connect. The adapter calls the reads of `/v1` and has no other access to the data (003.9). */
function agentDiscovery(origin: string) {
  return {
    advisory: true,
    recommended_flow: 'pdpp connect',
    mcp: {
      endpoint: `${origin}/mcp`,
      description:
        'An adapter over the PDPP reads of pdpp_core_query_base: the same grants and limits, no other way to the data.',
      transport: 'streamable_http',
      setup_intent: 'grant_scoped_read',
      tool_surface: 'profile_free_normal_read',
      no_owner_token: true,
    },
  }
}
