// Measures the hosted adapter over HTTP: how long a call takes compared with the same read through REST, and how many
// calls the server answers in a second.
import { OWNER, openOffline, readConfig } from '@pdpp/server'
import { startAdapter } from '../../tests/adapter/adapter-server.ts'
import { unlimited } from '../reads/read-setup.ts'
import { compare, type Timing, timingOf } from '../report/measure.ts'
import { KeepAliveClient, startServerProcess } from '../server/server-process.ts'
import { type Message, message } from './adapter-message.ts'

const CLIENTS = 16
const SLICE_MS = 1000
const SLICES = 4
const FLOOR = '/.well-known/oauth-protected-resource'
const RARE = 'Torinosaki'

export interface OverheadResult {
  readonly name: string
  readonly rest: Timing
  readonly mcp: Timing
}

export interface AdapterLoad {
  readonly overhead: readonly OverheadResult[]
  /** Requests per second. */
  readonly floor: number
  readonly rows: readonly {
    readonly name: string
    readonly rate: number
    readonly times: Timing
    readonly goal?: number
  }[]
  readonly megabytes: number | undefined
}

const call = (name: string, args: object) => message('tools/call', { name, arguments: args })

/** Loads the demo into a data directory, issues a grant of one stream, and starts a server process. */
export async function measureAdapterLoad(): Promise<AdapterLoad> {
  const adapter = await startAdapter('demo')
  await adapter.server.close()
  const config = readConfig({ dataDir: adapter.dataDir }, {} as Parameters<typeof readConfig>[1])
  const offline = await openOffline({ ...config, port: 0 })
  const { token } = await offline.context.issuer.grant(OWNER, {
    clientName: 'Bench',
    connections: ['mail-personal'],
    streams: [{ name: 'messages' }],
    singleUse: false,
    purposeCode: 'https://pdpp.dev/purpose/agent_context',
  })
  await unlimited(offline.context)
  await offline.close()
  const server = await startServerProcess(adapter.dataDir)
  const clients = Array.from({ length: CLIENTS }, () => new KeepAliveClient(server.port))
  try {
    const overhead = await measureOverhead(clients[0]!, token.accessToken)
    return { overhead, ...(await measureRates(clients, token.accessToken)), megabytes: server.residentMegabytes() }
  } finally {
    for (const client of clients) client.close()
    await server.stop()
    await adapter.close().catch(() => {})
  }
}

/** One client sends both requests alternately. The REST request is the same one that the tool sends internally. */
async function measureOverhead(client: KeepAliveClient, token: string): Promise<OverheadResult[]> {
  const pairs: [string, string, Message][] = [
    [
      'search, a rare word',
      `/v1/search?q=${RARE}&count=estimated&urls=false&highlight=false&limit=10&result_bytes=10000`,
      call('search', { query: RARE }),
    ],
    [
      'page of records',
      '/v1/streams/messages/records?limit=25&max_bytes=9800',
      call('query_records', { stream: 'messages' }),
    ],
    [
      'count',
      '/v1/streams/messages/aggregate?metric=count',
      call('aggregate', { stream: 'messages', metric: 'count' }),
    ],
    ['schema of a stream', '/v1/schema?view=compact&stream=messages', call('schema', { stream: 'messages' })],
  ]
  const results: OverheadResult[] = []
  for (const [name, path, { body, headers }] of pairs) {
    const timings = await compare(
      { rest: () => ok(client.get(path, token)), mcp: () => ok(client.post('/mcp', body, token, headers)) },
      2500,
    )
    results.push({ name, ...timings })
  }
  return results
}

async function ok(status: Promise<number>): Promise<void> {
  if ((await status) !== 200) throw new Error(`The server answered ${await status}.`)
}

async function measureRates(clients: readonly KeepAliveClient[], token: string) {
  const list = message('tools/list', {})
  const search = call('search', { query: RARE })
  const query = call('query_records', { stream: 'messages', limit: 5 })
  const post =
    ({ body, headers }: Message) =>
    (client: KeepAliveClient) =>
      client.post('/mcp', body, token, headers)
  const loads = [
    { name: 'floor: resource metadata, no token', send: (client: KeepAliveClient) => client.get(FLOOR) },
    { name: 'tools/list', send: post(list), goal: 0.25 },
    { name: 'MCP search of a rare word', send: post(search), goal: 0.15 },
    {
      name: 'the same search through REST',
      send: (client: KeepAliveClient) =>
        client.get(
          `/v1/search?q=${RARE}&count=estimated&urls=false&highlight=false&limit=10&result_bytes=10000`,
          token,
        ),
    },
    { name: 'MCP query_records, 5 records', send: post(query) },
  ].map((load) => ({ ...load, times: [] as number[], ms: 0 }))
  for (const load of loads) await run(clients, load, SLICE_MS)
  for (const load of loads) Object.assign(load, { times: [], ms: 0 })
  // The loads alternate, so that a slow moment of the machine affects all of them.
  for (let slice = 0; slice < SLICES; slice++) for (const load of loads) await run(clients, load, SLICE_MS)
  const rows = loads.map(({ name, times, ms, ...rest }) => ({
    name,
    rate: times.length / (ms / 1000),
    times: timingOf(times),
    ...('goal' in rest && rest.goal !== undefined ? { goal: rest.goal } : {}),
  }))
  return { floor: rows[0]!.rate, rows }
}

interface Load {
  readonly send: (client: KeepAliveClient) => Promise<number>
  readonly times: number[]
  ms: number
}

async function run(clients: readonly KeepAliveClient[], load: Load, ms: number): Promise<void> {
  const started = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < started + ms) {
        const sent = performance.now()
        await ok(load.send(client))
        load.times.push((performance.now() - sent) * 1000)
      }
    }),
  )
  load.ms += performance.now() - started
}
