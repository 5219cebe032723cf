// `npm run bench`: measures everything against its baseline. `-- --quick` gives a first impression, not a result.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openOffline, readConfig } from '@pdpp/server'
import { adapterSection, measureAdapter } from './adapter.ts'
import { measureShapes } from './data/shapes.ts'
import { measureAggregates } from './reads/aggregates.ts'
import { prepareReads } from './reads/read-setup.ts'
import { measureReads } from './reads/reads.ts'
import { measureReceipts } from './reads/receipts.ts'
import { report, type SizeResult } from './report/report.ts'
import { measureLimitedSearch, measureSearch } from './search/search.ts'
import { measureVocabulary } from './search/search-words.ts'
import { measureLoad } from './server/concurrency.ts'
import { eventsSection, measureEvents } from './server/events.ts'
import { fairnessTokens, measureFairness } from './server/fairness.ts'
import { measureIngest } from './server/ingest.ts'
import { measureProbes } from './server/probes.ts'
import { measureUnits } from './server/request-units.ts'

/** Throughput is measured at this size, memory at the largest. */
const LOAD_SIZE = 100_000
/** The size of the store whose largest stream is ingested with and without event subscriptions. */
const EVENTS_SIZE = 500_000

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: join(import.meta.dirname, 'results.md') },
  },
})
const sizes = options.quick ? [10_000] : options.sizes.split(',').map(Number)
if (sizes.some((size) => !Number.isInteger(size) || size < 1000)) throw new Error('Sizes are whole numbers from 1000.')
sizes.sort((a, b) => a - b)

const started = performance.now()
const say = (text: string) =>
  process.stderr.write(`[${((performance.now() - started) / 1000).toFixed(0).padStart(3)} s] ${text}\n`)

async function measureSize(size: number, directory: string, smaller: SizeResult | undefined): Promise<SizeResult> {
  // The smallest size only shows growth, unless it is the only one.
  const isLarge = size >= LOAD_SIZE || sizes.length === 1
  const withLoad = size === LOAD_SIZE || size === sizes.at(-1)
  const dataDir = join(directory, 'product')
  mkdirSync(directory)
  const config = { ...readConfig({ dataDir }, {} as Parameters<typeof readConfig>[1]), port: 0 }
  const server = await openOffline(config)
  say(`${size.toLocaleString('en')} records: ingest`)
  const { result: ingest, feeds, baseline } = await measureIngest(server.context, directory, size)
  const reading = { server, baseline, feeds }
  const setup = await prepareReads(reading)
  say(`${size.toLocaleString('en')} records: reads`)
  const reads = await measureReads(reading, setup, smaller?.reads ?? [])
  const { token } = setup
  const receipts = await measureReceipts(server, dataDir, token)
  if (isLarge) say(`${size.toLocaleString('en')} records: aggregates`)
  const aggregates = isLarge ? await measureAggregates(reading, setup) : []
  say(`${size.toLocaleString('en')} records: search`)
  const vocabulary = measureVocabulary(baseline, feeds)
  const words = { rare: vocabulary.rare.words[0]!, ten: vocabulary.ten.words[0]! }
  const probes = await measureProbes(server, token, feeds[0]!, words)
  const search = isLarge ? await measureSearch(reading, setup, vocabulary, dataDir) : []
  search.push(...(isLarge ? await measureLimitedSearch(reading, vocabulary) : []))
  const tokens = withLoad ? await fairnessTokens(server.context, token) : undefined
  baseline.close()
  await server.close()
  if (withLoad) say(`${size.toLocaleString('en')} records: concurrent clients`)
  const { rare, selective, one, ten, forty, manyRare } = vocabulary
  const every = [rare, selective, one, ten, forty].flatMap((list) => list.words)
  const load = withLoad ? await measureLoad(dataDir, feeds[0]!, setup, { rare: manyRare.words, every }) : undefined
  const units = withLoad
    ? await measureUnits(dataDir, feeds[0]!, setup.token, { rare: manyRare.words, every })
    : undefined
  if (withLoad) say(`${size.toLocaleString('en')} records: reads beside others`)
  const fairness = tokens && (await measureFairness(dataDir, feeds, tokens, every))
  rmSync(directory, { recursive: true, force: true })
  return { ingest, reads, receipts, aggregates, search, probes, load, units, fairness }
}

const directory = mkdtempSync(join(tmpdir(), 'pdpp-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

say('shapes')
const shapes = await measureShapes((name) => join(directory, name))
say('the MCP adapter')
const adapter = adapterSection(await measureAdapter())
say('event subscriptions')
const events = eventsSection(await measureEvents(join(directory, 'events'), options.quick ? 100_000 : EVENTS_SIZE))
const results: SizeResult[] = []
let text = ''
for (const size of sizes) {
  results.push(await measureSize(size, join(directory, String(size)), results.at(-1)))
  // Written after each size, so that a stopped run keeps its results.
  text = report(results, shapes, (performance.now() - started) / 60_000, [...events, ...adapter])
  writeFileSync(resolve(options.out), text)
}
process.stdout.write(text)
