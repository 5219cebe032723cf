// Ingests the same NDJSON into the product and with hand-written inserts, alternately.
import { join } from 'node:path'
import { type Context, OWNER } from '@pdpp/server'
import { Baseline } from '../baseline/baseline.ts'
import { type BenchFeed, feedsOf } from '../data/generator.ts'
import { blocks, parse } from '../data/ndjson.ts'
import { CONNECTIONS, CONNECTOR, SOURCE } from '../data/source.ts'
import { Stopwatch } from '../report/measure.ts'
import { type IngestMemory, measureIngestMemory } from './ingest-memory.ts'

const CHUNK_BYTES = 65_536

export interface IngestResult {
  readonly size: number
  readonly bytesPerRecord: number
  /** Rows per second. */
  readonly product: number
  readonly raw: number
  readonly rawWithoutWords: number
  readonly memory: IngestMemory
}

interface Rival {
  readonly baseline: Baseline
  readonly watch: Stopwatch
}

/** Fills the product's store and two baselines. The baseline with all indexes stays open for the reads. */
export async function measureIngest(context: Context, directory: string, size: number) {
  await context.storage.sources.declare(OWNER, SOURCE)
  for (const connectionId of CONNECTIONS)
    await context.connections.create(OWNER, { connectorKey: CONNECTOR, connectionId })
  const raw = rival(directory, 'raw', true)
  const withoutWords = rival(directory, 'without-words', false)
  const feeds = feedsOf(size)
  const product = { watch: new Stopwatch(), bytes: 0 }
  const total = feeds.reduce((sum, feed) => sum + feed.count, 0)
  const rivals = [raw, withoutWords]
  for (const feed of feeds) {
    await ingestProduct(context, feed, product, (block) => ingestRaw(rivals, feed, block))
    raw.baseline.logChanges(feed)
  }
  const rate = (watch: Stopwatch) => total / watch.seconds
  withoutWords.baseline.close()
  const result: IngestResult = {
    size: total,
    bytesPerRecord: product.bytes / total,
    product: rate(product.watch),
    raw: rate(raw.watch),
    rawWithoutWords: rate(withoutWords.watch),
    memory: await measureIngestMemory(directory, feeds[0]!),
  }
  return { result, feeds, baseline: raw.baseline }
}

function rival(directory: string, name: string, words: boolean): Rival {
  const streams = SOURCE.streams.map((stream) => stream.name)
  return { baseline: new Baseline(join(directory, name), streams, words), watch: new Stopwatch() }
}

type ProductRun = { watch: Stopwatch; bytes: number }

async function ingestProduct(
  context: Context,
  feed: BenchFeed,
  run: ProductRun,
  taken: (block: Buffer) => unknown,
): Promise<void> {
  const { stream, connectionId } = feed
  const target = { subjectId: OWNER, connectorKey: CONNECTOR, connectionId, stream }
  // Stop the watch while the generator runs.
  async function* body() {
    run.watch.stop()
    for (const block of blocks(feed)) {
      run.bytes += block.length
      for (let at = 0; at < block.length; at += CHUNK_BYTES) {
        run.watch.start()
        yield block.subarray(at, at + CHUNK_BYTES)
        run.watch.stop()
      }
      taken(block)
    }
    run.watch.start()
  }
  run.watch.start()
  const result = await context.ingest.ingest(target, body())
  run.watch.stop()
  if (result.accepted !== feed.count) throw new Error(`Not all records were taken: ${JSON.stringify(result)}`)
}

function ingestRaw(rivals: readonly Rival[], feed: BenchFeed, block: Buffer): void {
  for (const { baseline, watch } of rivals) {
    watch.start()
    baseline.insert(feed, parse(block))
    watch.stop()
  }
}

/** Adds the same new records to both. */
export async function addRecords(context: Context, baseline: Baseline, feed: BenchFeed, count: number): Promise<void> {
  const { stream, connectionId } = feed
  for (const block of blocks(feed, feed.count, feed.count + count)) {
    const target = { subjectId: OWNER, connectorKey: CONNECTOR, connectionId, stream }
    await context.ingest.ingest(target, ReadableStream.from([block]))
    baseline.insert(feed, parse(block))
    baseline.logChanges(feed)
  }
}
