// The CPU of whole requests, in units of one record by key served by hand.
import { join } from 'node:path'
import { type BenchFeed, idOf } from '../data/generator.ts'
import { BIG_STREAM } from '../data/source.ts'
import { KeepAliveClient, type ServerProcess, startProcess, startServerProcess } from './server-process.ts'

const CLIENTS = 16
const SLICE_MS = 1000
const SLICES = 3
const WARM_UP_MS = 4000
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
  readonly path: () => string
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
  let turn = 0
  const someRecord = () =>
    `/v1/streams/${BIG_STREAM}/records/${idOf(feed, (Math.imul(turn++, 7919) >>> 0) % feed.count)}`
  const ofProduct = (name: string, path: () => string, goal: number): Case => ({
    ...{ name, path, goal, server: product, clients: ours, requests: 0, cpu: 0, wall: 0 },
  })
  const someWords = (count: number) =>
    Array.from({ length: count }, (_, at) => words.every[(turn++ * (at + 1)) % words.every.length]).join('+')
  const cases: Case[] = [
    { name: 'record by key, by hand', path: someRecord, server: byHand, clients: theirs, requests: 0, cpu: 0, wall: 0 },
    ofProduct('record by id', someRecord, 3),
    ofProduct('page of 25', () => `/v1/streams/${BIG_STREAM}/records`, 9),
    ofProduct(
      'search of a rare word, 10 hits',
      () => `/v1/search?q=${words.rare[turn++ % words.rare.length]}&limit=10`,
      30,
    ),
    ofProduct(
      'search of one to three words of any frequency',
      () => `/v1/search?q=${someWords(1 + (turn % 3))}&limit=10`,
      60,
    ),
  ]
  try {
    // The compiler needs thousands of requests to finish.
    for (const one of cases) await run(one, WARM_UP_MS, token)
    for (const one of cases) Object.assign(one, { requests: 0, cpu: 0, wall: 0 })
    for (let slice = 0; slice < SLICES; slice++) for (const one of cases) await run(one, SLICE_MS, token)
    const unit = cases[0]!.cpu / cases[0]!.requests
    return cases.map(({ name, goal, requests, cpu, wall }) => ({
      ...{ name, goal, cpu: (cpu / requests) * 1000, wall: (wall / requests) * 1000, units: cpu / requests / unit },
    }))
  } finally {
    for (const client of [...ours, ...theirs]) client.close()
    await Promise.all([product.stop(), byHand.stop()])
  }
}

async function run(one: Case, ms: number, token: string): Promise<void> {
  const [started, cpu] = [performance.now(), one.server.cpuMs() ?? Number.NaN]
  await Promise.all(
    one.clients.map(async (client) => {
      while (performance.now() < started + ms) {
        const path = one.path()
        const status = await client.get(path, token)
        if (status !== 200) throw new Error(`${path} was answered ${status}.`)
        one.requests++
      }
    }),
  )
  one.wall += performance.now() - started
  one.cpu += (one.server.cpuMs() ?? Number.NaN) - cpu
}
