// Measures how long a client waits for a record while other clients search or import, and sends more searches at once
// than the server can run.
import { type BenchFeed, idOf } from '../data/generator.ts'
import { blocks } from '../data/ndjson.ts'
import { BIG_STREAM } from '../data/source.ts'
import { type Timing, timingOf } from '../report/measure.ts'
import { KeepAliveClient, startServerProcess } from './server-process.ts'

const SEARCHERS = [16, 64]
/** Numbers of clients that search at the same moment. */
const CROWDS = [64, 256]
/** Time for the threads to finish the searches of one crowd before the next one comes. */
const PAUSE_MS = 1000
const MEASURE_MS = 4000
/** Lines of one ingest request. */
const LINES = 2000
const REQUESTS = 60

export interface FairnessResult {
  readonly rows: readonly FairnessRow[]
  readonly crowds: readonly CrowdResult[]
}

export interface FairnessRow {
  readonly name: string
  readonly times: Timing
  /** Searches or imported records that the other clients complete in a second. */
  readonly neighbours: number | undefined
  /** The 99th percentile, as a multiple of that of the first row. */
  readonly ratio: number
  readonly goal?: number | undefined
}

/** Answers to many clients that search at the same time. */
export interface CrowdResult {
  readonly clients: number
  readonly answered: number
  readonly refused: number
  /** Refusals that say when to try again. */
  readonly withRetryAfter: number
  /** Time until an answer. */
  readonly answeredAfter: Timing
  /** Time until a refusal. */
  readonly refusedAfter: Timing
  readonly megabytes: number | undefined
}

export interface FairnessTokens {
  readonly reader: string
  readonly owner: string
  /** Clients that search use these in turn. */
  readonly searchers: readonly string[]
}

export async function measureFairness(
  dataDir: string,
  feeds: readonly BenchFeed[],
  tokens: FairnessTokens,
  words: readonly string[],
): Promise<FairnessResult> {
  const server = await startServerProcess(dataDir)
  const feed = feeds[0]!
  const open: KeepAliveClient[] = []
  const connect = () => {
    open.push(new KeepAliveClient(server.port))
    return open.at(-1)!
  }
  let turn = 0
  const search = (client: KeepAliveClient, at: number) => {
    const path = `/v1/search?q=${words[turn % words.length]}+${words[(turn * 7 + 3) % words.length]}&limit=10`
    turn++
    return client.get(path, tokens.searchers[at % tokens.searchers.length])
  }
  const reader = connect()
  const readRecords = async (until: number) => {
    const times: number[] = []
    for (let at = 0; performance.now() < until; at++) {
      const path = `/v1/streams/${BIG_STREAM}/records/${idOf(feed, (Math.imul(at, 7919) >>> 0) % feed.count)}`
      const sent = performance.now()
      if ((await reader.get(path, tokens.reader)) !== 200) throw new Error(`${path} was refused.`)
      times.push((performance.now() - sent) * 1000)
    }
    return times
  }
  /** Runs the other clients until the client that reads records is done. They warm up before it begins. */
  const beside = async (neighbours: readonly (() => Promise<number>)[]) => {
    let [isDone, isWarm, count] = [false, false, 0]
    const running = neighbours.map(async (work) => {
      while (!isDone) {
        const done = await work()
        if (isWarm) count += done
      }
    })
    await new Promise((resolve) => setTimeout(resolve, neighbours.length > 0 ? 1500 : 0))
    isWarm = true
    const started = performance.now()
    const times = await readRecords(started + MEASURE_MS)
    isDone = true
    const perSecond = count / ((performance.now() - started) / 1000)
    await Promise.all(running)
    return { times: timingOf(times), neighbours: neighbours.length > 0 ? perSecond : undefined }
  }
  try {
    await readRecords(performance.now() + MEASURE_MS / 4)
    const alone = await beside([])
    const row = (name: string, measured: Omit<typeof alone, 'name'>, goal?: number): FairnessRow => ({
      ...{ name, goal, ...measured, ratio: measured.times.p99 / alone.times.p99 },
    })
    const rows = [row('alone', alone)]
    for (const count of SEARCHERS) {
      const searchers = Array.from({ length: count }, (_, at) => {
        const client = connect()
        return async () => ((await search(client, at)) === 200 ? 1 : 0)
      })
      rows.push(row(`beside ${count} searchers`, await beside(searchers), 5))
    }
    const imports = await beside([importer(connect(), feeds[1]!, tokens.owner)])
    rows.push(row('beside an import at full speed', imports, 5))
    const crowds: CrowdResult[] = []
    for (const count of CROWDS) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      const crowd = await measureCrowd(Array.from({ length: count }, connect), search)
      crowds.push({ ...crowd, clients: count, megabytes: server.residentMegabytes() })
    }
    return { rows, crowds }
  } finally {
    for (const client of open) client.close()
    await server.stop()
  }
}

/** Each call sends one request with new records and returns their number. */
function importer(client: KeepAliveClient, feed: BenchFeed, token: string): () => Promise<number> {
  // The bodies are generated in advance, because the client that is measured runs in the same process.
  const bodies = Array.from({ length: REQUESTS }, (_, at) =>
    [...blocks(feed, feed.count + at * LINES, feed.count + (at + 1) * LINES)].map(String).join(''),
  )
  let next = 0
  return async () => {
    const body = bodies[next++]
    if (body === undefined) throw new Error('The import ended too early.')
    const path = `/v1/ingest/${feed.stream}?connection_id=${feed.connectionId}`
    const status = await client.post(path, body, token, '')
    if (status !== 200) throw new Error(`${path} was answered ${status}.`)
    return LINES
  }
}

async function measureCrowd(
  clients: readonly KeepAliveClient[],
  search: (client: KeepAliveClient, at: number) => Promise<number>,
): Promise<Omit<CrowdResult, 'clients' | 'megabytes'>> {
  const answers: number[] = []
  const refusals: number[] = []
  let withRetryAfter = 0
  await Promise.all(
    clients.map(async (client, at) => {
      const sent = performance.now()
      const status = await search(client, at)
      const micros = (performance.now() - sent) * 1000
      if (status === 200) answers.push(micros)
      else if (status === 503) {
        refusals.push(micros)
        if (/\r\nretry-after: \d+/i.test(client.lastHead)) withRetryAfter++
      } else throw new Error(`A search was answered ${status}.`)
    }),
  )
  return {
    ...{ answered: answers.length, refused: refusals.length, withRetryAfter },
    ...{ answeredAfter: timingOf(answers), refusedAfter: timingOf(refusals) },
  }
}
