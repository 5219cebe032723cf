// Measures whole searches after a write, in a server process: by then its idle threads have read what was written.
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchFeed, idOf } from '../data/generator.ts'
import { blocks } from '../data/ndjson.ts'
import { MergeWatch } from './merges.ts'
import { KeepAliveClient, type ServerProcess, startServerProcess } from './server-process.ts'

export interface RequestAfterWriteResult {
  readonly write: string
  readonly query: string
  readonly samples: number
  /** Mean CPU of the whole process in milliseconds. */
  readonly first: number
  readonly next: number
  /** Median CPU of what the server does between the write, with its merges, and the search. */
  readonly ahead: number
  /** CPU of the first search as a multiple of that of a first search after the same pause without a write. */
  readonly toPause: number
}

export interface WriteTokens {
  readonly reader: string
  readonly owner: string
}

const REPEATS = 24
const NEXT = 4
const WARM_UP = 100
/** Longer than the server waits before it reads ahead. */
const QUIET_MS = 400

export async function measureRequestsAfterWrites(
  dataDir: string,
  feed: BenchFeed,
  tokens: WriteTokens,
  queries: readonly (readonly [query: string, text: string])[],
): Promise<RequestAfterWriteResult[]> {
  const server = await startServerProcess(dataDir)
  const run = new RequestRun(server, dataDir, feed, tokens)
  const writes = [
    ['nothing', async () => {}],
    ['1 new record', () => run.add(1)],
    ['100 new records', () => run.add(100)],
    ['1,000 new records', () => run.add(1000)],
    ['a deletion', () => run.deleteOne()],
  ] as const
  const results: RequestAfterWriteResult[] = []
  try {
    for (const [query, text] of queries) {
      for (let warm = 0; warm < WARM_UP; warm++) await run.search(text)
      // Writes and merges compile code, too.
      for (const [, write] of writes) await run.sample(text, write)
      const samples = new Map<string, Sample[]>()
      // The writes alternate, so that a slow moment of the machine affects all of them.
      for (let repeat = 0; repeat < REPEATS; repeat++)
        for (const [write, work] of writes)
          samples.set(write, [...(samples.get(write) ?? []), await run.sample(text, work)])
      const pause = mean(samples.get(writes[0][0])!, 'first')
      for (const [write, list] of samples) results.push({ write, query, ...summary(list, pause) })
    }
    return results
  } finally {
    run.close()
    await server.stop()
  }
}

interface Sample {
  readonly first: number
  readonly next: number
  readonly ahead: number
}

const mean = (samples: readonly Sample[], part: keyof Sample): number =>
  samples.reduce((sum, sample) => sum + sample[part], 0) / samples.length

function summary(samples: readonly Sample[], pause: number): Omit<RequestAfterWriteResult, 'write' | 'query'> {
  const first = mean(samples, 'first')
  // A thread may end during the pause, and the system no longer counts its CPU. So this one is the median.
  const ahead = samples.map((sample) => sample.ahead).sort((a, b) => a - b)[samples.length >> 1]!
  return { first, next: mean(samples, 'next'), ahead, toPause: first / pause, samples: samples.length }
}

class RequestRun {
  readonly #server: ServerProcess
  readonly #client: KeepAliveClient
  readonly #feed: BenchFeed
  readonly #tokens: WriteTokens
  readonly #merges: MergeWatch
  /** No other part of the bench uses records with this number or a higher one. */
  readonly #from: number
  #added = 0
  #deleted = 0

  constructor(server: ServerProcess, dataDir: string, feed: BenchFeed, tokens: WriteTokens) {
    this.#server = server
    this.#client = new KeepAliveClient(server.port)
    this.#feed = feed
    this.#from = feed.count + 200_000
    this.#tokens = tokens
    this.#merges = new MergeWatch(dataDir)
  }

  async sample(text: string, write: () => Promise<void>): Promise<Sample> {
    for (let warm = 0; warm < NEXT; warm++) await this.search(text)
    await write()
    await this.#merges.settled()
    const ahead = await this.#cpuOf(() => sleep(QUIET_MS))
    const first = await this.#cpuOf(() => this.search(text))
    let next = 0
    for (let at = 0; at < NEXT; at++) next += (await this.#cpuOf(() => this.search(text))) / NEXT
    return { first, next, ahead }
  }

  async search(text: string): Promise<void> {
    const path = `/v1/search?q=${encodeURIComponent(text)}&limit=10`
    const status = await this.#client.get(path, this.#tokens.reader)
    if (status !== 200) throw new Error(`A search was answered ${status}.`)
  }

  async add(count: number): Promise<void> {
    const from = this.#from + this.#added
    this.#added += count
    await this.#ingest([...blocks(this.#feed, from, from + count)].map(String).join(''))
  }

  /** Only records that this run added are deleted, because other parts of the bench read the others later. */
  async deleteOne(): Promise<void> {
    const key = idOf(this.#feed, this.#from + this.#deleted++)
    await this.#ingest(`${JSON.stringify({ key, op: 'delete', emitted_at: new Date().toISOString() })}\n`)
  }

  close(): void {
    this.#client.close()
    this.#merges.close()
  }

  async #ingest(body: string): Promise<void> {
    const path = `/v1/ingest/${this.#feed.stream}?connection_id=${this.#feed.connectionId}`
    const status = await this.#client.post(path, body, this.#tokens.owner, '')
    if (status !== 200) throw new Error(`${path} was answered ${status}.`)
  }

  async #cpuOf(work: () => Promise<unknown>): Promise<number> {
    const before = this.#server.exactCpuMs() ?? Number.NaN
    await work()
    return (this.#server.exactCpuMs() ?? Number.NaN) - before
  }
}
