// Searches the same records in 1, 20 and 200 connections. The cost must not depend on the number of connections.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OWNER, openOffline, readConfig } from '@pdpp/server'
import { type BenchFeed, feedsOf } from '../data/generator.ts'
import { blocks } from '../data/ndjson.ts'
import { BIG_STREAM } from '../data/source.ts'
import { issueGrant } from '../reads/read-setup.ts'
import { compare, isHurried, type Timing } from '../report/measure.ts'
import { chunks, declareSource, ingestInto } from '../server/ingest.ts'
import { MergeWatch } from '../server/merges.ts'
import { CoreSearch, type Targets } from './core-search.ts'
import { targetsOf } from './search.ts'
import { searchCases } from './search-cases.ts'
import type { Vocabulary } from './search-words.ts'

export const CONNECTION_COUNTS = [1, 20, 200] as const
/** A quick run fills smaller stores. */
const HURRIED_SHARE = 0.25
/** Two connections, which is one percent of the 200. */
const FEW = ['box-7', 'box-107']
const LARGEST = CONNECTION_COUNTS.at(-1)!

export interface ConnectionsResult {
  readonly size: number
  readonly name: string
  /** Times of finding and ranking over all connections, in the order of CONNECTION_COUNTS. */
  readonly times: readonly Timing[]
  /** Times under a grant of two of the 200 connections. */
  readonly few: Timing
}

interface Store {
  readonly core: CoreSearch
  readonly targets: Targets
  readonly few: Targets
}

export async function measureConnections(
  directory: string,
  wanted: number,
  vocabulary: Vocabulary,
): Promise<ConnectionsResult[]> {
  const size = Math.round(wanted * (isHurried() ? HURRIED_SHARE : 1))
  const stores: Store[] = []
  for (const count of CONNECTION_COUNTS) stores.push(await fill(join(directory, `connections-${count}`), count, size))
  const results: ConnectionsResult[] = []
  for (const { name, texts } of searchCases(vocabulary).filter(({ isTypical }) => isTypical)) {
    const text = (round: number) => texts[round % texts.length]!
    const [one, twenty, many] = stores as [Store, Store, Store]
    const timings = await compare({
      one: (round) => one.core.rank(one.targets, text(round)),
      twenty: (round) => twenty.core.rank(twenty.targets, text(round)),
      many: (round) => many.core.rank(many.targets, text(round)),
      few: (round) => many.core.rank(many.few, text(round)),
    })
    results.push({ size, name, times: [timings.one, timings.twenty, timings.many], few: timings.few })
  }
  for (const { core } of stores) core.close()
  return results
}

/** Fills a store. The blocks of records go to the connections in turn. */
async function fill(dataDir: string, count: number, size: number): Promise<Store> {
  mkdirSync(dataDir, { recursive: true })
  const config = { ...readConfig({ dataDir }, {} as Parameters<typeof readConfig>[1]), port: 0 }
  const { context, close } = await openOffline(config)
  const connections = Array.from({ length: count }, (_, index) => `box-${index + 1}`)
  await declareSource(context, connections)
  const all: BenchFeed = { ...feedsOf(size)[0]!, count: size }
  let next = 0
  for (const block of blocks(all, 0, size, Math.min(1000, size / LARGEST))) {
    const connectionId = connections[next++ % count]!
    await ingestInto(context, { stream: BIG_STREAM, connectionId }, chunks([block]))
  }
  const merges = new MergeWatch(dataDir)
  await merges.settled()
  merges.close()
  const targets = await targetsOf(context, { kind: 'owner', subjectId: OWNER })
  const few = count === LARGEST ? (await issueGrant(context, FEW)).authority : undefined
  const store = { core: new CoreSearch(dataDir), targets, few: few ? await targetsOf(context, few) : [] }
  await close()
  return store
}
