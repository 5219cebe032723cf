// Discovery, introspection, what the owner sees of readers, and what readers see of changes.
import { gets, http, type Request, rpc } from './request.ts'

const discovery: Request[] = gets('nobody', {
  'where to start': '/',
  'what this server is': '/.well-known/oauth-protected-resource',
  'what the adapter is': '/.well-known/oauth-protected-resource/mcp',
  'what the developer adapter is': '/.well-known/oauth-protected-resource/mcp/developer',
  'how to get a token': '/.well-known/oauth-authorization-server',
  'an unknown document': '/.well-known/nothing',
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const introspect = (as: Request['as'], name: string, token: string) =>
  http(as, name, '/introspect', { method: 'POST', headers: form, body: `token=${token}` })
const introspection: Request[] = [
  introspect('owner', 'a token of a grant', '{access_token of chat}'),
  introspect('owner', 'a token of a month', '{access_token of september}'),
  introspect('owner', 'a token of a package', '{access_token of pair}'),
  introspect('owner', 'a token of a revoked grant', '{access_token of revoked}'),
  introspect('owner', 'a token of a paused grant', '{access_token of paused}'),
  introspect('owner', 'a token of a revoked package', '{access_token of ended}'),
  introspect('owner', 'a token of a narrowed grant', '{access_token of narrowed}'),
  introspect('owner', 'a token that is none', 'nonsense'),
  introspect('nobody', 'introspection by nobody', '{access_token of chat}'),
  introspect('chat', 'introspection by a client', '{access_token of chat}'),
  http('owner', 'introspection of nothing', '/introspect', { method: 'POST', headers: form, body: '' }),
]

const access: Request[] = [
  ...gets('owner', {
    'all connections': '/v1/owner/connections',
    'a grant': '/v1/owner/grants/{grant_id of chat}',
    'a grant that was narrowed': '/v1/owner/grants/{grant_id of narrowed}',
    'a grant that was revoked': '/v1/owner/grants/{grant_id of revoked}',
    'a package': '/v1/owner/packages/{package_id of partial}',
    'a grant that is not there': '/v1/owner/grants/grt_nothing',
    'the settings': '/v1/owner/settings',
    'the declaration of a source': '/connectors/notes',
  }),
  http('owner', 'a new grant', '/v1/owner/grants', {
    method: 'POST',
    body: { client_name: 'Somebody', connections: ['notes'], streams: [{ name: 'notes', view: 'summary' }] },
  }),
  http('owner', 'a new grant without a name', '/v1/owner/grants', { method: 'POST', body: { connections: ['notes'] } }),
  http('owner', 'a new grant for an unknown field', '/v1/owner/grants', {
    method: 'POST',
    body: { client_name: 'Somebody', connections: ['notes'], fields: ['colour'] },
  }),
  http('owner', 'a new grant for two sources', '/v1/owner/grants', {
    method: 'POST',
    body: { client_name: 'Somebody', connections: ['notes', 'chat'] },
  }),
  http('owner', 'a second end', '/v1/owner/grants/{grant_id of revoked}/revoke', { method: 'POST', body: {} }),
]

const records = '/v1/streams/notes/records'
const line = (key: string, title: string) =>
  JSON.stringify({
    key,
    data: {
      id: key,
      title,
      body: 'A new lamp.',
      created_at: '2026-10-01T08:00:00Z',
      updated_at: '2026-10-01T08:00:00Z',
    },
    emitted_at: '2026-11-01T08:00:00Z',
  })
const changes: Request[] = [
  ...gets('notes', { 'a bookmark': `${records}?changes_since=now` }),
  ...gets('narrowed', { 'another bookmark': '/v1/streams/orders/records?changes_since=now' }),
  http('owner', 'new records, one of them wrong', '/v1/ingest/notes?connection_id=notes', {
    method: 'POST',
    body: `${line('note_new', 'Lamp')}\n{"key":"note_wrong","data":{"id":1}}\nnonsense`,
  }),
  http('owner', 'a record deleted', `${records}/note_v5s3ukgtr4`, { method: 'DELETE' }),
  rpc('notes', 'what changed over MCP', 'tools/call', {
    name: 'query_records',
    arguments: { stream: 'notes', changes_since: '{next_changes_since of a bookmark}', fields: ['title'] },
  }),
  ...gets('notes', {
    'what changed': `${records}?changes_since={next_changes_since of a bookmark}&fields=title`,
    'the new record': `${records}/note_new`,
    'the deleted record': `${records}/note_v5s3ukgtr4`,
    'the new record among those found': '/v1/search?q=lamp&limit=1&since=2026-10-01&until=2026-10-02',
  }),
  http('owner', 'a stream emptied', '/v1/streams/orders/records?connection_id=purchases', { method: 'DELETE' }),
  ...gets('narrowed', {
    'a bookmark that went with it': '/v1/streams/orders/records?changes_since={next_changes_since of another bookmark}',
  }),
  http('owner', 'the receipts of these reads', '/v1/owner/receipts?limit=5&grant_id={grant_id of notes}'),
]

const settings = (name: string, requests: number | null) =>
  http('owner', name, '/v1/owner/settings', { method: 'PATCH', body: { grant_requests_per_minute: requests } })
const limits: Request[] = [
  settings('one request a minute', 1),
  ...gets('music', { 'the first request': '/v1/streams/plays/records?limit=1', 'the second request': '/v1/schema' }),
  rpc('music', 'the third request, over MCP', 'tools/call', { name: 'schema', arguments: {} }),
  settings('as many requests as they like', null),
  settings('a limit that is none', -5),
]

export const ownerRequests: readonly Request[] = [...discovery, ...introspection, ...access, ...changes, ...limits]
