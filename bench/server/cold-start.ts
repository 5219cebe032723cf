// Measures the start of a server process: its CPU until it is ready, compared with a start on an empty store, and the
// CPU of its first search.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { KeepAliveClient, type ServerProcess, startServerProcess } from './server-process.ts'

const STARTS = 4
/**
 * Background work after a start counts as part of it. The server is at rest when its CPU time has not changed in
 * RESTING_LOOKS checks in a row. On a busy machine this takes longer, up to MAX_LOOKS checks.
 */
const LOOK_MS = 100
const RESTING_LOOKS = 5
const MAX_LOOKS = 200
const NOTHING = { cpu: 0, restingCpu: 0, wall: 0 }
const WARM = 60
const WARM_SEARCHES = 200

/** Means, in milliseconds. */
export interface StartResult {
  readonly empty: StartTimes
  readonly full: StartTimes
  readonly searches: readonly { readonly name: string; readonly first: number; readonly warm: number }[]
}

interface StartTimes {
  /** CPU until the server is ready. */
  readonly cpu: number
  /** CPU until the server is at rest: its threads have started and read the index in the background. */
  readonly restingCpu: number
  readonly wall: number
}

export interface StartWords {
  readonly rare: readonly string[]
  readonly common: readonly string[]
}

export async function measureStarts(
  directory: string,
  dataDir: string,
  token: string,
  words: StartWords,
): Promise<StartResult> {
  const emptyDir = join(directory, 'empty')
  mkdirSync(emptyDir, { recursive: true })
  await (await start(emptyDir)).server.stop()
  const [empty, full] = [{ ...NOTHING }, { ...NOTHING }]
  const searches = [
    { name: 'rare word', list: words.rare, first: 0, warm: 0 },
    { name: '25 % word', list: words.common, first: 0, warm: 0 },
  ]
  for (let turn = 0; turn < STARTS; turn++) {
    const none = await start(emptyDir)
    await none.server.stop()
    const some = await start(dataDir)
    // The starts alternate between the two kinds of search, because only the first search after a start is cold. The
    // server reads some of the most frequent words ahead, so half of the starts take the first word of a list and half
    // the last.
    const each = searches[turn % searches.length]!
    const word = turn < STARTS / 2 ? each.list[0]! : each.list.at(-1)!
    each.first += await searchCpu(some.server, [word], token)
    await searchCpu(some.server, repeated(each.list, WARM), token)
    each.warm += (await searchCpu(some.server, repeated(each.list, WARM_SEARCHES), token)) / WARM_SEARCHES
    await some.server.stop()
    for (const [sum, one] of [
      [empty, none],
      [full, some],
    ] as const) {
      sum.cpu += one.cpu / STARTS
      sum.restingCpu += one.restingCpu / STARTS
      sum.wall += one.wall / STARTS
    }
  }
  const each = STARTS / searches.length
  return {
    empty,
    full,
    searches: searches.map(({ name, first, warm }) => ({ name, first: first / each, warm: warm / each })),
  }
}

async function start(dataDir: string): Promise<StartTimes & { server: ServerProcess }> {
  const started = performance.now()
  const server = await startServerProcess(dataDir)
  const wall = performance.now() - started
  const cpu = server.cpuMs() ?? Number.NaN
  return { server, wall, cpu, restingCpu: await restingCpu(server) }
}

async function restingCpu(server: ServerProcess): Promise<number> {
  let [cpu, resting] = [server.cpuMs() ?? Number.NaN, 0]
  for (let look = 0; look < MAX_LOOKS && resting < RESTING_LOOKS; look++) {
    await sleep(LOOK_MS)
    const now = server.cpuMs() ?? Number.NaN
    resting = now > cpu ? 0 : resting + 1
    cpu = now
  }
  return cpu
}

/** CPU of the server for these searches, one after another. */
async function searchCpu(server: ServerProcess, words: readonly string[], token: string): Promise<number> {
  const before = server.exactCpuMs() ?? Number.NaN
  const client = new KeepAliveClient(server.port)
  for (const word of words) {
    const status = await client.get(`/v1/search?q=${word}&limit=10`, token)
    if (status !== 200) throw new Error(`A search was answered ${status}.`)
  }
  client.close()
  return (server.exactCpuMs() ?? Number.NaN) - before
}

const repeated = (list: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, at) => list[at % list.length]!)
