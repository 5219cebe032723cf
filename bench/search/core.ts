// `node scripts/run.mjs bench/search/core.ts <folder> [records] [words of case names]` compares only finding and
// ranking with plain FTS5. The store is filled once and stays in the folder, because a million records take long.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, OWNER, openOffline, readConfig } from '@pdpp/server'
import Database from 'better-sqlite3'
import { Baseline } from '../baseline/baseline.ts'
import { feedsOf } from '../data/generator.ts'
import { blocks, parse } from '../data/ndjson.ts'
import { CONNECTIONS, SOURCE } from '../data/source.ts'
import { PAGE } from '../reads/read-setup.ts'
import { table } from '../report/markdown.ts'
import { compare } from '../report/measure.ts'
import { chunks, declareSource, ingestInto } from '../server/ingest.ts'
import { MergeWatch } from '../server/merges.ts'
import { CoreSearch } from './core-search.ts'
import { FTS, targetsOf } from './search.ts'
import { searchCases } from './search-cases.ts'
import { measureVocabulary, type Vocabulary } from './search-words.ts'

const SIZE = 1_000_000
const WARM_UP_TURNS = 3

async function fill(context: Context, folder: string, dataDir: string, size: number): Promise<Vocabulary> {
  await declareSource(context, CONNECTIONS)
  const streams = SOURCE.streams.map(({ name }) => name)
  const baseline = new Baseline(join(folder, 'raw'), streams, true)
  const feeds = feedsOf(size)
  for (const feed of feeds)
    for (const block of blocks(feed)) {
      await ingestInto(context, feed, chunks([block]))
      baseline.insert(feed, parse(block))
    }
  const merges = new MergeWatch(dataDir)
  await merges.settled()
  merges.close()
  const vocabulary = measureVocabulary(baseline, feeds)
  baseline.bytes()
  baseline.close()
  return vocabulary
}

const [folder, size = SIZE, only = ''] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder that keeps the store.')
const dataDir = join(folder, 'product')
mkdirSync(dataDir, { recursive: true })
const server = await openOffline({ ...readConfig({ dataDir }, {} as Parameters<typeof readConfig>[1]), port: 0 })
const kept = join(folder, 'vocabulary.json')
if (!existsSync(kept)) {
  const vocabulary = await fill(server.context, folder, dataDir, Number(size))
  writeFileSync(kept, JSON.stringify(vocabulary))
}
const vocabulary: Vocabulary = JSON.parse(readFileSync(kept, 'utf8'))
const targets = await targetsOf(server.context, { kind: 'owner', subjectId: OWNER })
await server.close()
const raw = new Database(join(folder, 'raw', 'baseline.db'), { readonly: true })
raw.pragma('cache_size = -65536')
const fts = raw.prepare(FTS)
const core = new CoreSearch(dataDir)
const rows: string[][] = []
// These runs are not timed. They compile the code that all cases share.
for (let turn = 0; turn < WARM_UP_TURNS; turn++)
  for (const { texts } of searchCases(vocabulary).filter(({ isTypical }) => isTypical))
    for (const text of texts) core.rank(targets, text)
for (const { name, texts, raw: plain, goal } of searchCases(vocabulary).filter(({ name }) => name.includes(only))) {
  const of = (list: readonly string[], round: number) => list[round % list.length]!
  const { rank, plain: other } = await compare({
    rank: (round) => core.rank(targets, of(texts, round)),
    plain: (round) => fts.all(of(plain, round), PAGE),
  })
  const ms = (micros: number) => (micros / 1000).toFixed(2)
  const ratio = (rank.cpu / other.cpu).toFixed(3)
  rows.push([name, ms(rank.cpu), ms(other.cpu), ratio, goal === undefined ? '' : `<= ${goal}`])
}
core.close()
raw.close()
console.log(table(['query', 'core CPU ms', 'FTS5 CPU ms', 'core / FTS5', 'goal'], rows))
