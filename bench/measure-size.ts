// Runs all measurements that need a store of a given size.
import { join } from 'node:path'
import { OWNER, openOffline, type RunningServer, readConfig } from '@pdpp/server'
import { measureAggregates } from './reads/aggregates.ts'
import { issueGrant, prepareReads, type ReadSetup } from './reads/read-setup.ts'
import { measureReads, type Reading } from './reads/reads.ts'
import { measureReceipts } from './reads/receipts.ts'
import type { SizeResult } from './report/report.ts'
import { afterWriteQueries, measureAfterWrites, SINCE } from './search/after-writes.ts'
import { measureConnections } from './search/connections.ts'
import { baselineFile, measureSearch } from './search/search.ts'
import { measureVocabulary, type Vocabulary } from './search/search-words.ts'
import type { Section } from './sections.ts'
import { measureStarts } from './server/cold-start.ts'
import { measureLoad } from './server/concurrency.ts'
import { type FairnessTokens, measureFairness } from './server/fairness.ts'
import { measureIngest } from './server/ingest.ts'
import { measureProbes } from './server/probes.ts'
import { measureUnits } from './server/request-units.ts'
import { measureRequestsAfterWrites } from './server/requests-after-writes.ts'

/** Smaller stores only serve to show growth, so most measurements skip them. */
const LOAD_SIZE = 100_000
/** Number of clients that search at the same time. Each has a grant of its own. */
const SEARCHERS = 16

export interface SizeRun {
  readonly directory: string
  readonly sizes: readonly number[]
  readonly sections: ReadonlySet<Section>
  readonly say: (text: string) => void
  readonly smaller: SizeResult | undefined
}

type Part = <T>(section: Section, measure: () => Promise<T>) => Promise<T | undefined>

export async function measureSize(size: number, run: SizeRun): Promise<SizeResult> {
  const { directory, sizes, smaller } = run
  // A smaller store is measured completely if it is the only one.
  const isLarge = size >= LOAD_SIZE || sizes.length === 1
  const part: Part = async (section, measure) => {
    if (!run.sections.has(section)) return
    run.say(`${size.toLocaleString('en')} records: ${section}`)
    return await measure()
  }
  const largePart: Part = (section, measure) => (isLarge ? part(section, measure) : Promise.resolve(undefined))
  const dataDir = join(directory, 'product')
  const config = { ...readConfig({ dataDir }, {} as Parameters<typeof readConfig>[1]), port: 0 }
  const server = await openOffline(config)
  run.say(`${size.toLocaleString('en')} records: ingest`)
  const { result: ingest, feeds, baseline } = await measureIngest(server.context, directory, dataDir, size)
  const reading: Reading = { server, baseline, feeds }
  const setup = await prepareReads(reading)
  const { token } = setup
  const reads = await part('reads', () => measureReads(reading, setup, smaller?.reads ?? []))
  const receipts = await part('receipts', () => measureReceipts(server, dataDir, token))
  const aggregates = await largePart('aggregates', () => measureAggregates(reading, setup))
  const vocabulary = measureVocabulary(baseline, feeds)
  const words = { rare: vocabulary.rare.words[0]!, ten: vocabulary.ten.words[0]! }
  const probes = await part('growth', () => measureProbes(server, token, feeds[0]!, words))
  const place = { dataDir, rawFile: baselineFile(directory) }
  const search = await largePart('search', () => measureSearch(reading, setup, vocabulary, place))
  const afterWrites = await largePart('writes', () =>
    measureAfterWrites(server.context, dataDir, feeds[0]!, vocabulary),
  )
  const tokens = await fairnessTokens(server, setup)
  const limited = (await issueGrant(server.context, undefined, SINCE)).token
  baseline.close()
  await server.close()
  const writeTokens = { reader: limited, owner: tokens.owner }
  const requestsAfterWrites = await largePart('writes', () =>
    measureRequestsAfterWrites(dataDir, feeds[0]!, writeTokens, afterWriteQueries(vocabulary)),
  )
  const connections = await largePart('connections', () => measureConnections(directory, size, vocabulary))
  const { rare, every } = loadWords(vocabulary)
  const requests = await largePart('requests', () => measureUnits(dataDir, feeds[0]!, token, { rare, every }))
  const load = await largePart('load', () => measureLoad(dataDir, feeds[0]!, setup, { rare, every }))
  const common = vocabulary.quarter.words
  const starts = await largePart('start', () => measureStarts(directory, dataDir, token, { rare, common }))
  const fairness = await largePart('fairness', () => measureFairness(dataDir, feeds, tokens, every))
  return {
    ...{ ingest, reads, receipts, aggregates, search, connections, afterWrites, probes },
    ...{ requests, starts, load, fairness, requestsAfterWrites },
  }
}

/**
 * Words of any frequency, and rare words. There are enough rare words that no search repeats while its last answer may
 * still be cached.
 */
function loadWords({ rare, selective, one, ten, forty, manyRare }: Vocabulary) {
  const every = [rare, selective, one, ten, forty].flatMap((list) => list.words)
  return { rare: manyRare.words, every }
}

async function fairnessTokens(
  { context }: Pick<RunningServer, 'context'>,
  { token }: ReadSetup,
): Promise<FairnessTokens> {
  const searchers: string[] = []
  for (let at = 0; at < SEARCHERS; at++) searchers.push((await issueGrant(context)).token)
  const owner = await context.tokens.issueOwner(OWNER)
  return { reader: token, owner: owner.accessToken, searchers }
}
