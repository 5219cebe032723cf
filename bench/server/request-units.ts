// Measures the CPU of whole requests. The unit is a request for one record by key to the hand-written server.
import { join } from 'node:path'
import { message } from '../adapter/adapter-message.ts'
import { type BenchFeed, idOf } from '../data/generator.ts'
import { BIG_STREAM } from '../data/source.ts'
import { isHurried } from '../report/measure.ts'
import { KeepAliveClient, type ServerProcess, startProcess, startServerProcess } from './server-process.ts'

const CLIENTS = 16
const SLICE_MS = 1000
const SLICES = 3
/** Before that, the threads compile their code. A slow case has few requests in a second and needs several. */
const WARM_SLICES = 3
const BY_HAND = join(import.meta.dirname, '..', 'baseline', 'hand-made-server.ts')

export interface UnitRow {
  readonly name: string
  /** CPU of the whole process for each request, in microseconds. */
  readonly cpu: number
  readonly wall: number
  /** CPU as a multiple of the first row. */
  readonly units: number
  readonly goal?: number | undefined
}

interface Case {
  readonly name: string
  readonly server: ServerProcess
  readonly clients: readonly KeepAliveClient[]
  readonly send: (client: KeepAliveClient) => Promise<number>
  readonly goal?: number
  requests: number
  cpu: number
  wall: number
}

export async function measureUnits(
  dataDir: string,
  feed: BenchFeed,
  token: string,
  words: { readonly rare: readonly string[]; readonly every: readonly string[] },
): Promise<UnitRow[]> {
  const product = await startServerProcess(dataDir)
  const byHand = await startProcess([BY_HAND, dataDir, 'r1', token])
  const connect = ({ port }: ServerProcess) => Array.from({ length: CLIENTS }, () => new KeepAliveClient(port))
  const [ours, theirs] = [connect(product), connect(byHand)]
  // Words advance `turn` too. So it cannot also tell how many words come next: some numbers would never come.
  let [turn, searches] = [0, 0]
  const get = (path: () => string) => (client: KeepAliveClient) => client.get(path(), token)
  const someRecord = () =>
    `/v1/streams/${BIG_STREAM}/records/${idOf(feed, (Math.imul(turn++, 7919) >>> 0) % feed.count)}`
  const rareWord = () => words.rare[turn++ % words.rare.length]!
  const none = { requests: 0, cpu: 0, wall: 0 }
  const ofProduct = (name: string, send: Case['send'], goal: number): Case => ({
    ...{ name, send, goal, server: product, clients: ours, ...none },
  })
  const someWords = (count: number) =>
    Array.from({ length: count }, (_, at) => words.every[(turn++ * (at + 1)) % words.every.length]).join('+')
  const cases: Case[] = [
    { name: 'record by key, by hand', send: get(someRecord), server: byHand, clients: theirs, ...none },
    ofProduct('record by id', get(someRecord), 3),
    ofProduct(
      'page of 25',
      get(() => `/v1/streams/${BIG_STREAM}/records`),
      9,
    ),
    ofProduct(
      'search of a rare word, 10 hits',
      get(() => `/v1/search?q=${rareWord()}&limit=10`),
      30,
    ),
    ofProduct(
      'search of one to three words of any frequency, 10 hits',
      get(() => `/v1/search?q=${someWords(1 + (searches++ % 3))}&limit=10`),
      60,
    ),
    ofProduct('hosted MCP search of a rare word', (client) => mcpSearch(client, rareWord(), token), 45),
  ]
  try {
    for (let slice = 0; slice < (isHurried() ? 1 : WARM_SLICES); slice++)
      for (const one of cases) await run(one, SLICE_MS)
    for (const one of cases) Object.assign(one, none)
    for (let slice = 0; slice < (isHurried() ? 1 : SLICES); slice++) for (const one of cases) await run(one, SLICE_MS)
    const unit = cases[0]!.cpu / cases[0]!.requests
    return cases.map(({ name, goal, requests, cpu, wall }) => ({
      ...{ name, goal, cpu: (cpu / requests) * 1000, wall: (wall / requests) * 1000, units: cpu / requests / unit },
    }))
  } finally {
    for (const client of [...ours, ...theirs]) client.close()
    await Promise.all([product.stop(), byHand.stop()])
  }
}

function mcpSearch(client: KeepAliveClient, query: string, token: string): Promise<number> {
  const { body, headers } = message('tools/call', { name: 'search', arguments: { query } })
  return client.post('/mcp', body, token, headers)
}

async function run(one: Case, ms: number): Promise<void> {
  const [started, cpu] = [performance.now(), one.server.cpuMs() ?? Number.NaN]
  await Promise.all(
    one.clients.map(async (client) => {
      while (performance.now() < started + ms) {
        const status = await one.send(client)
        if (status !== 200) throw new Error(`${one.name} was answered ${status}.`)
        one.requests++
      }
    }),
  )
  one.wall += performance.now() - started
  one.cpu += (one.server.cpuMs() ?? Number.NaN) - cpu
}
