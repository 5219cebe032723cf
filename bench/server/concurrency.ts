// Measures a server process with sixteen clients at the same time. Reads under a grant are compared with a route that
// checks nothing.
import { type BenchFeed, idOf } from '../data/generator.ts'
import { BIG_STREAM } from '../data/source.ts'
import type { LoadTokens } from '../reads/read-setup.ts'
import { type Timing, timingOf } from '../report/measure.ts'
import { KeepAliveClient, startServerProcess } from './server-process.ts'

const CLIENTS = 16
const SLICE_MS = 1000
const SLICES = 3
const FLOOR = '/.well-known/oauth-protected-resource'

const AGGREGATE = `/v1/streams/${BIG_STREAM}/aggregate?metric=count&group_by=author&limit=5`

export interface LoadResult {
  readonly loads: readonly LoadRow[]
  readonly memory: { before: number | undefined; after: number | undefined }
}

export interface LoadRow {
  readonly name: string
  /** Requests per second. */
  readonly rate: number
  readonly times: Timing
  /** Goal: min. rate, as a share of the rate of the first row. */
  readonly share?: number | undefined
  /** Goal: max. ratio of the 99th percentile to the median. */
  readonly spread?: number | undefined
}

interface Load extends Pick<LoadRow, 'name' | 'share' | 'spread'> {
  readonly path: () => string
  readonly token?: string
  /** A path that one more client requests all the time. */
  readonly background?: string
  readonly times: number[]
  ms: number
}

export async function measureLoad(
  dataDir: string,
  feed: BenchFeed,
  { token, oneStream }: LoadTokens,
  /** Enough rare words that no search repeats while its last answer may still be cached. */
  words: { readonly rare: readonly string[]; readonly every: readonly string[] },
): Promise<LoadResult> {
  const server = await startServerProcess(dataDir)
  const clients = Array.from({ length: CLIENTS }, () => new KeepAliveClient(server.port))
  const neighbour = new KeepAliveClient(server.port)
  let turn = 0
  const someRecord = () =>
    `/v1/streams/${BIG_STREAM}/records/${idOf(feed, (Math.imul(turn++, 7919) >>> 0) % feed.count)}`
  const search = (list: readonly string[], count: number) => {
    const chosen = Array.from({ length: count }, (_, at) => list[(turn * (at + 1)) % list.length])
    turn++
    return `/v1/search?q=${chosen.join('+')}&limit=25`
  }
  const someSearch = () => search(words.rare, 1)
  const load = (name: string, path: () => string, more: Partial<Load> = {}): Load => ({
    ...{ name, path, token, times: [], ms: 0 },
    ...more,
  })
  const loads: Load[] = [
    { name: 'floor: resource metadata, no token', path: () => FLOOR, times: [], ms: 0 },
    load('record by id', someRecord, { share: 0.5 }),
    load('search of a rare word, one stream of one connection', someSearch, { token: oneStream }),
    load('search of a rare word, four streams of five connections', someSearch),
    load('search of one to three words of any frequency', () => search(words.every, 1 + (turn % 3))),
    load('page of 25, five connections', () => `/v1/streams/${BIG_STREAM}/records`),
    load('record by id, while another client groups by author', someRecord, { background: AGGREGATE, spread: 10 }),
  ]
  try {
    const before = server.residentMegabytes()
    for (const one of loads) await run(clients, one, SLICE_MS / 2, neighbour)
    for (const one of loads) Object.assign(one, { times: [], ms: 0 })
    // The loads alternate, so that a slow moment of the machine affects all of them.
    for (let slice = 0; slice < SLICES; slice++) for (const one of loads) await run(clients, one, SLICE_MS, neighbour)
    const rows = loads.map(({ name, share, spread, times, ms }) => ({
      ...{ name, share, spread },
      ...{ rate: times.length / (ms / 1000), times: timingOf(times) },
    }))
    return { loads: rows, memory: { before, after: server.residentMegabytes() } }
  } finally {
    for (const client of [...clients, neighbour]) client.close()
    await server.stop()
  }
}

async function run(
  clients: readonly KeepAliveClient[],
  load: Load,
  ms: number,
  neighbour: KeepAliveClient,
): Promise<void> {
  const started = performance.now()
  const until = started + ms
  const runBackground = async () => {
    while (load.background !== undefined && performance.now() < until) await neighbour.get(load.background, load.token)
  }
  const backgroundDone = runBackground()
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const sent = performance.now()
        const path = load.path()
        const status = await client.get(path, load.token)
        if (status !== 200) throw new Error(`${path} was answered ${status}.`)
        load.times.push((performance.now() - sent) * 1000)
      }
    }),
  )
  load.ms += performance.now() - started
  await backgroundDone
}
