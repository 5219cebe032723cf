// Sixteen clients at once against a server process: what a grant costs, beside a route that checks nothing.
import { type BenchFeed, idOf } from './generator.ts'
import { type Timing, timingOf } from './measure.ts'
import { KeepAliveClient, startServerProcess } from './server-process.ts'
import { BIG_STREAM } from './source.ts'

const CLIENTS = 16
const SLICE_MS = 1000
const SLICES = 3
const FLOOR = '/.well-known/oauth-protected-resource'

export interface LoadResult {
  /** Requests per second. */
  readonly floor: number
  readonly record: number
  readonly page: number
  readonly floorTimes: Timing
  readonly recordTimes: Timing
  readonly pageTimes: Timing
  readonly memory: { before: number | undefined; after: number | undefined }
}

interface Load {
  readonly path: () => string
  readonly token?: string
  readonly times: number[]
  ms: number
}

export async function measureLoad(dataDir: string, feed: BenchFeed, token: string): Promise<LoadResult> {
  const server = await startServerProcess(dataDir)
  const clients = Array.from({ length: CLIENTS }, () => new KeepAliveClient(server.port))
  let turn = 0
  const someRecord = () =>
    `/v1/streams/${BIG_STREAM}/records/${idOf(feed, (Math.imul(turn++, 7919) >>> 0) % feed.count)}`
  const floor: Load = { path: () => FLOOR, times: [], ms: 0 }
  const record: Load = { path: someRecord, token, times: [], ms: 0 }
  const page: Load = { path: () => `/v1/streams/${BIG_STREAM}/records`, token, times: [], ms: 0 }
  try {
    const before = server.residentMegabytes()
    for (const load of [floor, record, page]) await run(clients, load, SLICE_MS / 2)
    for (const load of [floor, record, page]) Object.assign(load, { times: [], ms: 0 })
    // In turns, so that a slow moment of the machine falls on all of them.
    for (let slice = 0; slice < SLICES; slice++) {
      for (const load of [floor, record, page]) await run(clients, load, SLICE_MS)
    }
    const rate = (load: Load) => load.times.length / (load.ms / 1000)
    return {
      floor: rate(floor),
      record: rate(record),
      page: rate(page),
      floorTimes: timingOf(floor.times),
      recordTimes: timingOf(record.times),
      pageTimes: timingOf(page.times),
      memory: { before, after: server.residentMegabytes() },
    }
  } finally {
    for (const client of clients) client.close()
    await server.stop()
  }
}

async function run(clients: readonly KeepAliveClient[], load: Load, ms: number): Promise<void> {
  const started = performance.now()
  const until = started + ms
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
}
