// The quick path of POST /mcp and the SDK's give the same answers, request by request.
import { type HostedCall, HttpResourceServer, NORMAL } from '@pdpp/mcp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerOnFastPath } from '../../packages/mcp/src/transports/hosted/fast-path.ts'
import { answerBySdk } from '../../packages/mcp/src/transports/hosted/hosted-mcp.ts'
import { type AdapterServer, ENVELOPE, startAdapter } from './adapter-server.ts'
import { smallSource } from './small-data.ts'

let server: AdapterServer
beforeAll(async () => {
  server = await startAdapter([smallSource])
})
afterAll(() => server.close())

const MODERN = '2026-07-28'
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

interface Case {
  readonly name: string
  readonly message: unknown
  readonly headers: Record<string, string>
  readonly quick: boolean
}

const call = (name: unknown, args?: unknown, more: object = {}) => ({
  ...(name === undefined ? {} : { name }),
  ...(args === undefined ? {} : { arguments: args }),
  ...more,
})

const legacy = (
  version: string | undefined,
  message: object,
  quick: boolean,
  headers: object = {},
  name = '',
): Case => ({
  name: `${version ?? 'no version'} ${name || JSON.stringify(message).slice(0, 110)}`,
  message: { jsonrpc: '2.0', id: 1, ...message },
  headers: { ...JSON_TYPE, ...(version === undefined ? {} : { 'mcp-protocol-version': version }), ...headers },
  quick,
})

function modern(
  message: { method: string; params?: any; [name: string]: unknown },
  quick: boolean,
  changes: Record<string, string | undefined> = {},
  envelope: object = ENVELOPE,
): Case {
  const params = message.params === undefined ? {} : message.params
  const withMeta =
    typeof params === 'object' && params !== null ? { ...params, _meta: { ...envelope, ...params._meta } } : params
  const headers: Record<string, string | undefined> = {
    ...JSON_TYPE,
    'mcp-protocol-version': MODERN,
    'mcp-method': message.method,
    ...(typeof params?.name === 'string' ? { 'mcp-name': params.name } : {}),
    ...changes,
  }
  return {
    name: `modern ${JSON.stringify(message).slice(0, 90)} ${JSON.stringify(changes).slice(0, 60)}`,
    message: { jsonrpc: '2.0', id: 1, ...message, params: withMeta },
    headers: Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    quick,
  }
}

const reads: [string, object | undefined][] = [
  ['schema', {}],
  ['schema', undefined],
  ['schema', { stream: 'messages' }],
  ['schema', { stream: 'messages', connection_id: 'home', detail: 'full' }],
  ['query_records', { stream: 'messages', connection_id: 'home', limit: 100 }],
  ['query_records', { stream: 'nothing' }],
  ['query_records', {}],
  ['query_records', { stream: 'messages', nonsense: true }],
  ['aggregate', { stream: 'messages', metric: 'count', group_by: ['author'] }],
  ['search', { query: 'lighthouse' }],
  ['search', { q: 'lighthouse' }],
  ['fetch', { id: 'home/messages:m4' }],
  ['fetch', { id: 'home/messages:../x' }],
  ['read_record_field', { id: 'home/messages:m4', field_path: 'text' }],
  ['read_record_field', { id: 'home/messages:none', field_path: 'text' }],
]

const calls: Case[] = reads.flatMap(([tool, args]) => [
  modern({ method: 'tools/call', params: call(tool, args) }, true),
  legacy('2025-11-25', { method: 'tools/call', params: call(tool, args) }, true),
  legacy('2025-06-18', { method: 'tools/call', params: call(tool, args) }, true),
])

const lists: Case[] = [
  modern({ method: 'tools/list' }, true),
  modern({ method: 'tools/list', params: { cursor: 'x' } }, false),
  modern({ method: 'tools/list', params: { _meta: { progressToken: 7 } } }, true),
  legacy('2025-11-25', { method: 'tools/list', params: {} }, true),
  legacy('2025-11-25', { method: 'tools/list' }, false),
  legacy('2025-11-25', { method: 'tools/list', params: { _meta: { progressToken: 'a' } } }, true),
  legacy('2025-06-18', { method: 'tools/list', params: {} }, true),
  legacy('2025-03-26', { method: 'tools/list', params: {} }, false),
  legacy('2024-11-05', { method: 'tools/list', params: {} }, false),
  legacy(undefined, { method: 'tools/list', params: {} }, false),
  legacy('1999-01-01', { method: 'tools/list', params: {} }, false),
  legacy(MODERN, { method: 'tools/list', params: {} }, false),
  modern({ method: 'tools/list' }, false, { 'mcp-protocol-version': undefined }),
  modern({ method: 'tools/list' }, false, { 'mcp-protocol-version': '2025-11-25' }),
  modern({ method: 'tools/list' }, false, { 'mcp-method': undefined }),
  modern({ method: 'tools/list' }, false, { 'mcp-method': 'tools/call' }),
  modern({ method: 'tools/list' }, false, {}, { 'io.modelcontextprotocol/protocolVersion': MODERN }),
  modern({ method: 'tools/list' }, false, {}, { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': [] }),
  modern({ method: 'tools/list' }, false, {}, { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' }),
  modern({ method: 'tools/list' }, true, {}, { ...ENVELOPE, 'io.modelcontextprotocol/clientInfo': undefined }),
  modern({ method: 'tools/list' }, false, {}, { ...ENVELOPE, 'io.modelcontextprotocol/clientInfo': 'x' }),
  modern({ method: 'tools/list' }, false, {}, { ...ENVELOPE, 'io.modelcontextprotocol/logLevel': 'loud' }),
]

const capabilities: [object, boolean][] = [
  [{ roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } }, true],
  [{ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } } }, true],
  [{ roots: 5 }, false],
  [{ roots: { listChanged: 'yes' } }, false],
  [{ elicitation: { form: 'x' } }, false],
  [{ experimental: { a: 5 } }, false],
  [{ tasks: { list: {} } }, false],
]
lists.push(
  ...capabilities.map(([value, quick]) =>
    modern({ method: 'tools/list' }, quick, {}, { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': value }),
  ),
  modern({ method: 'tools/list' }, true, {}, { ...ENVELOPE, 'example.com/trace': 'abc' }),
  modern({ method: 'tools/list' }, false, {}, { ...ENVELOPE, 'io.modelcontextprotocol/clientInfo': { name: 'x' } }),
  modern({ method: 'tools/list', extra: 1 }, false),
  legacy('2025-11-25', { method: 'tools/list', params: {}, extra: 1 }, false),
  legacy('2025-11-25', { method: 'tools/list', params: { _meta: { progressToken: {} } } }, false),
  legacy('2025-11-25', { method: 'tools/list', params: { _meta: [] } }, false),
)

const types: Case[] = ['text/plain', 'application/xml', '', 'application/jsonx'].flatMap((type) => [
  modern({ method: 'tools/list' }, false, { 'content-type': type || undefined }),
  legacy('2025-11-25', { method: 'tools/list', params: {} }, false, { 'content-type': type }),
])
types.push(
  modern({ method: 'tools/list' }, true, { 'content-type': 'application/json; charset=utf-8' }),
  legacy('2025-11-25', { method: 'tools/list', params: {} }, true, {
    'content-type': 'Application/JSON;charset=utf-8',
  }),
  modern({ method: 'tools/list' }, true, { accept: undefined }),
  legacy('2025-11-25', { method: 'tools/list', params: {} }, true, { accept: 'application/json' }),
  legacy('2025-11-25', { method: 'tools/list', params: {} }, true, { accept: '*/*' }),
)

const ids: Case[] = ['a', '', 0, -1, 7, 1.5, 1e300, null, true, {}, [], undefined].flatMap((id) => {
  const quick = typeof id === 'string' || Number.isSafeInteger(id)
  return [
    { ...modern({ method: 'tools/list', id }, quick), name: `modern id ${JSON.stringify(id)}` },
    legacy('2025-11-25', { method: 'tools/list', params: {}, id }, quick, {}, `id ${JSON.stringify(id)}`),
  ]
})

const oddCalls: Case[] = [
  call('nothing', {}),
  call('constructor', {}),
  call('__proto__', {}),
  call('', {}),
  call(undefined, {}),
  call(5, {}),
  call('schema', null),
  call('schema', []),
  call('schema', 'text'),
  call('schema', 5),
].flatMap((params) => [
  modern({ method: 'tools/call', params }, false),
  legacy('2025-11-25', { method: 'tools/call', params }, false),
])
oddCalls.push(
  modern({ method: 'tools/call', params: call('schema', {}) }, false, { 'mcp-name': 'search' }),
  modern({ method: 'tools/call', params: call('schema', {}) }, false, { 'mcp-name': undefined }),
  modern({ method: 'tools/call', params: call('schema', {}, { task: { ttl: 5 } }) }, false),
  legacy('2025-11-25', { method: 'tools/call', params: call('schema', {}, { task: { ttl: 5 } }) }, false),
  modern({ method: 'tools/call', params: call('schema', {}, { inputResponses: {} }) }, false),
  modern({ method: 'tools/call', params: call('schema', {}, { requestState: 5 }) }, false),
  legacy('2025-11-25', { method: 'tools/call' }, false),
  legacy('2025-11-25', { method: 'tools/call', params: [] }, false),
  legacy('2025-11-25', { method: 'tools/call', params: null }, false),
)

const others: Case[] = [
  modern({ method: 'server/discover' }, false),
  modern({ method: 'resources/list' }, false),
  modern({ method: 'ping' }, false),
  modern({ method: 'nothing/at-all' }, false),
  modern({ method: 'initialize', params: {} }, false),
  legacy('2025-11-25', { method: 'ping' }, false),
  legacy('2025-11-25', { method: 'nothing/at-all' }, false),
  legacy('2025-11-25', { method: 5 }, false),
  legacy('2025-11-25', { jsonrpc: '1.0', method: 'tools/list', params: {} }, false),
  legacy('2025-11-25', { jsonrpc: undefined, method: 'tools/list', params: {} }, false),
  ...['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', MODERN, '1999-01-01'].map((protocolVersion) =>
    legacy(
      undefined,
      { method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } } },
      false,
    ),
  ),
  legacy(undefined, { method: 'initialize', params: {} }, false),
  {
    ...legacy('2025-11-25', {}, false),
    message: { jsonrpc: '2.0', method: 'notifications/initialized' },
    name: 'legacy notification',
  },
  { ...legacy('2025-11-25', {}, false), message: { jsonrpc: '2.0', id: 1, result: {} }, name: 'a response' },
  ...[null, 5, 'text', {}, { jsonrpc: '2.0' }].map((message) => ({
    ...legacy('2025-11-25', {}, false),
    message,
    name: `body ${JSON.stringify(message)}`,
  })),
]

const hosted = ({ message, headers }: Case): HostedCall => {
  const all = new Headers(headers)
  return {
    url: `${server.url}/mcp`,
    headers: () => all,
    header: (name) => all.get(name) ?? undefined,
    body: JSON.stringify(message),
    resources: new HttpResourceServer(server.url, {
      current: async () => server.token,
      replace: async () => undefined,
    }),
    entrypoint: NORMAL,
    signal: () => new AbortController().signal,
  }
}

/** The short form of the server's description, and no request ids, because these differ by design. */
const comparable = async (response: Response) => {
  const text = await response.text()
  const body = text === '' ? '' : JSON.parse(text)
  const info = body.result?._meta?.['io.modelcontextprotocol/serverInfo']
  if (info) body.result._meta['io.modelcontextprotocol/serverInfo'] = { name: info.name, version: info.version }
  const json = JSON.stringify(body)
    .replaceAll(/\breq_\w+/g, 'req')
    .replaceAll(/"request_id\\?":\\?"[^"\\]*/g, '"request_id":"')
  return { status: response.status, type: response.headers.get('content-type'), body: JSON.parse(json) }
}

describe.each([
  { group: 'calls', cases: calls },
  { group: 'lists', cases: lists },
  { group: 'content types', cases: types },
  { group: 'ids', cases: ids },
  { group: 'odd calls', cases: oddCalls },
  { group: 'other messages', cases: others },
])('$group', ({ cases }) => {
  test.each(cases)('$name', async (one) => {
    const message = one.message === undefined ? undefined : JSON.parse(JSON.stringify(one.message))
    const quick = await answerOnFastPath(hosted(one), message)
    expect(quick !== undefined).toBe(one.quick)
    const slow = await comparable(await answerBySdk(hosted(one), message))
    if (quick) expect(await comparable(new Response(quick.body, quick))).toEqual(slow)
    expect(slow.status).toBeGreaterThanOrEqual(200)
    expect(slow.status).toBeLessThan(500)
  })
})
