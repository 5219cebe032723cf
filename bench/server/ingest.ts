// Ingests the same NDJSON into the product's store and into hand-written stores, which take turns.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, OWNER } from '@pdpp/server'
import Database from 'better-sqlite3'
import { Baseline } from '../baseline/baseline.ts'
import { type BenchFeed, feedsOf } from '../data/generator.ts'
import { blocks, parse } from '../data/ndjson.ts'
import { CONNECTIONS, CONNECTOR, SOURCE } from '../data/source.ts'
import { Stopwatch } from '../report/measure.ts'
import { type IngestMemory, measureIngestMemory } from './ingest-memory.ts'
import { MergeWatch } from './merges.ts'

const CHUNK_BYTES = 65_536
/** Number of blocks that one store ingests before it is the turn of the next. They are kept in memory. */
const BLOCKS_PER_TURN = 20

const CHECKPOINT_TRIES = 200

/** Rows per second of time, and per second of CPU. */
export interface Rate {
  readonly wall: number
  readonly cpu: number
}

export interface IngestResult {
  readonly size: number
  readonly bytesPerRecord: number
  readonly product: Rate
  readonly raw: Rate
  readonly rawWithoutWords: Rate
  readonly memory: IngestMemory
  readonly disk: DiskResult
}

/** Bytes after a checkpoint. */
export interface DiskResult {
  /** The ingested NDJSON. */
  readonly data: number
  readonly product: number
  readonly raw: number
  /** The bytes of the product, by their use. */
  readonly parts: readonly DiskPart[]
}

export interface DiskPart {
  readonly name: string
  readonly bytes: number
}

interface Rival {
  readonly baseline: Baseline
  readonly watch: Stopwatch
}

/** Fills the product's store and two baselines. The baseline with all indexes stays open for the reads. */
export async function measureIngest(context: Context, directory: string, dataDir: string, size: number) {
  await declareSource(context, CONNECTIONS)
  const raw = rival(directory, 'raw', true)
  const withoutWords = rival(directory, 'without-words', false)
  const feeds = feedsOf(size)
  const product = { context, watch: new Stopwatch(), merges: new MergeWatch(dataDir) }
  const total = feeds.reduce((sum, feed) => sum + feed.count, 0)
  let data = 0
  for (const feed of feeds) {
    for (const turn of turns(feed)) {
      data += turn.reduce((sum, block) => sum + block.length, 0)
      await ingestProduct(product, feed, turn)
      for (const { baseline, watch } of [raw, withoutWords])
        await watch.time(() => {
          for (const block of turn) baseline.insert(feed, parse(block))
        })
    }
    raw.baseline.logChanges(feed)
  }
  product.merges.close()
  withoutWords.baseline.close()
  const rate = ({ wall, cpu }: Stopwatch): Rate => ({ wall: total / wall, cpu: total / cpu })
  const result: IngestResult = {
    size: total,
    bytesPerRecord: data / total,
    product: rate(product.watch),
    raw: rate(raw.watch),
    rawWithoutWords: rate(withoutWords.watch),
    memory: await measureIngestMemory(directory, { ...feeds[0]!, count: total }),
    disk: {
      data,
      product: settledBytes(join(dataDir, 'pdpp.db')),
      raw: raw.baseline.bytes(),
      parts: diskParts(dataDir),
    },
  }
  return { result, feeds, baseline: raw.baseline }
}

export async function declareSource(context: Context, connections: readonly string[]): Promise<void> {
  await context.storage.sources.declare(OWNER, SOURCE)
  for (const connectionId of connections)
    await context.connections.create(OWNER, { connectorKey: CONNECTOR, connectionId })
}

function diskParts(dataDir: string): DiskPart[] {
  const db = new Database(join(dataDir, 'pdpp.db'), { readonly: true })
  const sql = `select case when name glob 'r[0-9]*_*' then 'indexes' when name glob 'r[0-9]*' then 'records'
    when name glob 'word_*' then 'words' when name glob 'change*' then 'change log' else 'others' end name,
    sum(pgsize) bytes from dbstat group by 1 order by 2 desc`
  const parts = db.prepare(sql).all() as DiskPart[]
  db.close()
  return parts
}

/** Size of a database after a checkpoint of its write-ahead log. */
export function settledBytes(file: string): number {
  const db = new Database(file)
  const checkpoint = () => (db.pragma('wal_checkpoint(truncate)') as { busy: number }[])[0]!.busy === 0
  // SQLite does not wait for a checkpoint of the server that is still running.
  let isDone = checkpoint()
  for (let tries = 0; !isDone && tries < CHECKPOINT_TRIES; tries++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    isDone = checkpoint()
  }
  db.close()
  if (!isDone) throw new Error(`${file} could not be checkpointed, so its log would count as data.`)
  return statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
}

function rival(directory: string, name: string, words: boolean): Rival {
  const streams = SOURCE.streams.map((stream) => stream.name)
  return { baseline: new Baseline(join(directory, name), streams, words), watch: new Stopwatch() }
}

function* turns(feed: BenchFeed): Generator<Buffer[]> {
  let turn: Buffer[] = []
  for (const block of blocks(feed)) {
    if (turn.push(block) < BLOCKS_PER_TURN) continue
    yield turn
    turn = []
  }
  if (turn.length > 0) yield turn
}

interface Product {
  readonly context: Context
  readonly watch: Stopwatch
  readonly merges: MergeWatch
}

/** Ingests the blocks of one turn. The time includes the merges of the word index that they cause. */
async function ingestProduct({ context, watch, merges }: Product, feed: BenchFeed, turn: Buffer[]): Promise<void> {
  const lines = turn.reduce((sum, block) => sum + block.toString('latin1').split('\n').length - 1, 0)
  const accepted = await watch.time(async () => {
    const result = await ingestInto(context, feed, chunks(turn))
    await merges.settled()
    return result.accepted
  })
  if (accepted !== lines) throw new Error(`Not all records were taken: ${accepted} of ${lines}.`)
}

export function ingestInto(
  context: Context,
  { stream, connectionId }: Pick<BenchFeed, 'stream' | 'connectionId'>,
  body: AsyncIterable<Buffer>,
) {
  return context.ingest.ingest({ subjectId: OWNER, connectorKey: CONNECTOR, connectionId, stream }, body)
}

/** Splits the blocks into chunks of the size that a socket delivers. */
export async function* chunks(turn: Iterable<Buffer>): AsyncGenerator<Buffer> {
  for (const block of turn)
    for (let at = 0; at < block.length; at += CHUNK_BYTES) yield block.subarray(at, at + CHUNK_BYTES)
}

/** Adds the same new records to the product's store and to the hand-written one. */
export async function addRecords(context: Context, baseline: Baseline, feed: BenchFeed, count: number): Promise<void> {
  for (const block of blocks(feed, feed.count, feed.count + count)) {
    await ingestInto(context, feed, chunks([block]))
    baseline.insert(feed, parse(block))
    baseline.logChanges(feed)
  }
}
