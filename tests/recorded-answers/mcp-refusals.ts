// Calls that POST /mcp refuses: wrong use of tools, and malformed requests.
import { ENVELOPE } from '../adapter/adapter-server.ts'
import { calls, http, type Request, rpc } from './request.ts'

const legacy = { era: '2025-11-25' } as const
const message = 'chat/messages:cm_a3c32gsab4'

const tools: Request[] = [
  ...calls('everything', 'schema', {
    'an unknown stream': { stream: 'mesages' },
    'an unknown connection': { connection_id: 'nowhere' },
    'a schema in full of several': { stream: 'messages', detail: 'full' },
    'detail of no stream': { detail: 'full' },
    'a stream of another connection': { stream: 'plays', connection_id: 'chat' },
    'an unknown argument of schema': { streem: 'messages' },
  }),
  ...calls('everything', 'query_records', {
    'no stream': {},
    'a filter that is no object': { stream: 'plays', connection_id: 'music', filter: 'artist' },
    'an empty filter': { stream: 'plays', connection_id: 'music', filter: {} },
    'an operator that is none': { stream: 'plays', connection_id: 'music', filter: { played_at: { near: '2026' } } },
    'a number that is too long': { stream: 'plays', connection_id: 'music', filter: { duration_ms: 2 ** 60 } },
    'fields that are no list': { stream: 'plays', connection_id: 'music', fields: 7 },
    'no fields at all': { stream: 'plays', connection_id: 'music', fields: [] },
    'a limit for no relation': { stream: 'orders', connection_id: 'purchases', expand: ['items'], expand_limit: 3 },
    'a relation where there are none': { stream: 'plays', connection_id: 'music', expand: ['items'] },
    'around a record of another stream': {
      stream: 'plays',
      connection_id: 'music',
      around: 'chat/messages:cm_a3c32gsab4',
    },
    'no connection where there are many': { stream: 'messages' },
    'a stream that is not there': { stream: 'planets', connection_id: 'music' },
    'a value of another type': { stream: 'plays', connection_id: 'music', filter: { duration_ms: 'long' } },
    'a filter on a list': { stream: 'contacts', connection_id: 'contacts', filter: { emails: 'x' } },
    'an unknown relation': { stream: 'orders', connection_id: 'purchases', expand: ['planets'] },
    'more relations than there may be': {
      stream: 'orders',
      connection_id: 'purchases',
      expand: ['items'],
      expand_limit: { items: 500 },
    },
  }),
  ...calls('chat', 'query_records', {
    'a stream that is not granted': { stream: 'members' },
    'an unknown field': { stream: 'messages', fields: ['colour'] },
    'a field that is not granted': { stream: 'messages', fields: ['reactions'] },
    'filtered by a hidden field': { stream: 'messages', filter: { edited: true } },
    'sorted by a field that cannot be': { stream: 'messages', sort: 'text' },
    'a wrong cursor': { stream: 'messages', cursor: 'nonsense' },
    'a limit of nothing': { stream: 'messages', limit: 0 },
    'a limit that is no number': { stream: 'messages', limit: 'ten' },
    'an order that is none': { stream: 'messages', order: 'sideways' },
    'around nothing': { stream: 'messages', around: 'chat/messages:cm_nothing' },
    'changes since nonsense': { stream: 'messages', changes_since: 'nonsense' },
    'a connection that is not granted': { stream: 'messages', connection_id: 'notes' },
  }),
  ...calls(
    'chat',
    'query_records',
    { 'a hidden field in the older era': { stream: 'messages', fields: ['reactions'] } },
    legacy,
  ),
  ...calls('chat', 'aggregate', {
    'no metric': { stream: 'messages' },
    'an unknown metric': { stream: 'messages', metric: 'median' },
    'a sum without a field': { stream: 'messages', metric: 'sum' },
    'a sum of a hidden field': { stream: 'messages', metric: 'max', field: 'provider_message_id' },
    'a zone that is none': { stream: 'messages', metric: 'count', group_by_time: 'sent_at', time_zone: 'Moon/Crater' },
  }),
  ...calls('everything', 'aggregate', { 'no connection for a sum': { stream: 'orders', metric: 'count' } }),
  ...calls('chat', 'search', {
    'no words': {},
    'two queries': { query: 'gull', q: 'ferry' },
    'a query that is no text': { query: 7 },
    'a filter that a stream lacks': { query: 'gull', filter: { colour: 'red' } },
    'a search for an unknown stream': { query: 'gull', streams: ['planets'] },
    'a search with a wrong time': { query: 'gull', since: 'yesterday' },
    'a search with a wrong cursor': { query: 'gull', cursor: 'nonsense' },
    'a search by meaning': { query: 'gull', mode: 'semantic' },
  }),
  ...calls('work mail', 'search', { 'a search in a hidden field': { query: 'body:gull' } }),
  ...calls('september', 'search', { 'a search outside of the grant': { query: 'gull', until: '2026-01-01' } }),
  ...calls('chat', 'fetch', {
    'no id': {},
    'an id that is none': { id: 'nonsense' },
    'a record that is not there': { id: 'chat/messages:cm_nothing' },
    'a record that is not granted': { id: 'notes/notes:note_v5s3ukgtr4' },
    'an address of another server': { id: 'https://other.example/r/chat%2Fmessages%3Acm_a3c32gsab4' },
    'two connections for one id': { id: message, connection_id: 'notes' },
    'a hidden field of a record': { id: message, fields: ['reactions'] },
  }),
  ...calls('chat', 'read_record_field', {
    'no field': { id: message },
    'a cursor for a field': { id: message, field_path: 'text', cursor: 'nonsense' },
    'true or false as text': { id: message, field_path: 'text', exact: 'maybe' },
    'a window into an unknown field': { id: message, field_path: 'colour' },
    'a window into a hidden field': { id: message, field_path: 'reactions' },
    'a window beyond the end': { id: message, field_path: 'text', offset_chars: 1000 },
    'a window around what is not there': { id: message, field_path: 'text', q: 'xylophone' },
  }),
  ...calls('chat', 'planets', { 'an unknown tool': {} }),
  ...calls('chat', 'fetch_blob', { 'a tool of the developer server': { blob_id: 'blob_x' } }),
  ...calls('chat', 'planets', { 'an unknown tool in the older era': {} }, legacy),
]

const access: Request[] = [
  rpc('nobody', 'no token', 'tools/list'),
  rpc('owner', 'a token of the owner', 'tools/list'),
  ...calls('owner', 'schema', { 'a tool with a token of the owner': {} }),
  rpc('revoked', 'the tools of a revoked grant', 'tools/list'),
  ...calls('revoked', 'schema', { 'a revoked grant': {} }),
  ...calls('paused', 'query_records', { 'a paused grant': { stream: 'events' } }),
  ...calls('ended', 'search', { 'a revoked package': { query: 'gull' } }),
  ...calls('partial', 'query_records', {
    'a member that was revoked': { stream: 'contacts', connection_id: 'contacts' },
    'a member that rests': { stream: 'events', connection_id: 'calendar' },
  }),
]

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const modern = { ...listed, params: { _meta: ENVELOPE } }
const modernHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
const post = (name: string, body: unknown, headers: Record<string, string> = {}) =>
  http('chat', name, '/mcp', { method: 'POST', headers: { ...json, ...headers }, body })
const transport: Request[] = [
  http('nobody', 'an unknown token', '/mcp', {
    method: 'POST',
    headers: { ...json, authorization: 'Bearer nonsense' },
    body: listed,
  }),
  http('chat', 'a get', '/mcp'),
  http('chat', 'a delete', '/mcp', { method: 'DELETE' }),
  http('nobody', 'a get without a token', '/mcp'),
  http('nobody', 'a preflight', '/mcp', {
    method: 'OPTIONS',
    headers: { origin: 'https://agent.example', 'access-control-request-method': 'POST' },
  }),
  http('nobody', 'no token from a page', '/mcp', {
    method: 'POST',
    headers: { ...json, origin: 'https://agent.example' },
    body: listed,
  }),
  post('a token from a page of another', listed, { origin: 'https://agent.example' }),
  post('a page without an origin', listed, { origin: 'null' }),
  post('no version at all', { ...listed, method: 'resources/list' }),
  post('the newer era without its envelope', listed, modernHeaders),
  post('a header that differs from the body', modern, { ...modernHeaders, 'mcp-method': 'tools/call' }),
  post('an unknown version', listed, { 'mcp-protocol-version': '1999-01-01' }),
  post('a batch', [listed, listed], { 'mcp-protocol-version': '2025-03-26' }),
  post('no JSON', '{"jsonrpc":'),
  post('an empty body', ''),
  post('another content type', listed, { 'content-type': 'text/plain' }),
  rpc('chat', 'an unknown method', 'nothing/at-all'),
  rpc('chat', 'an unknown method in the older era', 'nothing/at-all', {}, legacy),
  rpc('chat', 'a resource that is not there', 'resources/read', { uri: 'pdpp://nothing' }),
  rpc('chat', 'prompts, which there are none of', 'prompts/list', {}, legacy),
]

export const mcpRefusals: readonly Request[] = [...tools, ...access, ...transport]
