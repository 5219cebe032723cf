// Compares whole requests in process over 1,000 records of 100 KB with requests over 1,000 short records.
import { mkdirSync } from 'node:fs'
import { openOffline, type RunningServer, readConfig } from '@pdpp/server'
import { type BenchFeed, type BenchRecord, records } from '../data/generator.ts'
import { BIG_STREAM, CONNECTIONS } from '../data/source.ts'
import { drawWord } from '../data/vocabulary.ts'
import { issueGrant } from '../reads/read-setup.ts'
import { request } from '../reads/reads.ts'
import { compare, type Timing } from '../report/measure.ts'
import { declareSource, ingestInto } from '../server/ingest.ts'
import { MergeWatch } from '../server/merges.ts'

export const LONG_RECORDS = 1000
const LONG_CHARS = 100_000
const QUERIES = 8

export interface LongTextResult {
  readonly name: string
  readonly long: Timing
  readonly short: Timing
  /** Max. ratio of the CPU with long texts to the CPU with short texts. */
  readonly goal?: number | undefined
}

interface Store {
  readonly server: Pick<RunningServer, 'app'>
  readonly token: string
  close(): Promise<void>
}

export async function measureLongTexts(directory: string): Promise<LongTextResult[]> {
  const long = await fill(`${directory}-long`, LONG_CHARS)
  const short = await fill(`${directory}-short`, 0)
  const results: LongTextResult[] = []
  const search = (count: number, from: number) => (round: number) =>
    `/v1/search?q=${wordsAt(round % QUERIES, count, from).join('+')}`
  const cases: [name: string, path: (round: number) => string, goal?: number][] = [
    ['search, one rare word', search(1, 0), 3],
    ['search, two common words', search(2, 0.9), 3],
    ['search, three rare words', search(3, 0), 3],
    ['search, eight words', search(8, 0.1), 3],
    ['page of 25, two short fields', () => `/v1/streams/${BIG_STREAM}/records?fields=id,subject`, 2],
    ['page of 25, whole records', () => `/v1/streams/${BIG_STREAM}/records?limit=25`],
  ]
  for (const [name, path, goal] of cases) {
    const timings = await compare({
      long: (round) => request(long.server, path(round), long.token),
      short: (round) => request(short.server, path(round), short.token),
    })
    results.push({ name, goal, ...timings })
  }
  await Promise.all([long.close(), short.close()])
  return results
}

/** Different words from one part of the vocabulary. `from` 0 gives rare words, 0.9 common ones, and 0.1 a mixture. */
function wordsAt(index: number, count: number, from: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const step = (index * 8 + at) / (QUERIES * 8)
    return drawWord(from === 0 ? step * 0.2 : from === 0.9 ? 0.25 + step * 0.2 : 0.1 + step * 0.8)
  })
}

async function fill(dataDir: string, chars: number): Promise<Store> {
  mkdirSync(dataDir, { recursive: true })
  const config = { ...readConfig({ dataDir }, {} as Parameters<typeof readConfig>[1]), port: 0 }
  const server = await openOffline(config)
  await declareSource(server.context, CONNECTIONS)
  const feed: BenchFeed = { index: 0, stream: BIG_STREAM, connectionId: CONNECTIONS[0]!, count: LONG_RECORDS }
  await ingestInto(server.context, feed, lines(feed, chars))
  const merges = new MergeWatch(dataDir)
  await merges.settled()
  merges.close()
  const { token } = await issueGrant(server.context, [feed.connectionId])
  return { server, token, close: () => server.close() }
}

async function* lines(feed: BenchFeed, chars: number): AsyncGenerator<Buffer> {
  for (const [number, record] of [...records(feed)].entries()) {
    const data = { ...record, body: lengthened(record, number, chars) }
    yield Buffer.from(`${JSON.stringify({ key: record.id, emitted_at: record.sent_at, data })}\n`)
  }
}

/** Adds words until the text is long enough. The step is no simple fraction, so the words come from all over. */
function lengthened({ body }: BenchRecord, number: number, chars: number): string {
  const words = [body.slice(0, 500)]
  let length = words[0]!.length
  for (let at = number * 0.618_034; length < chars; at += 0.754_877_666) {
    const word = drawWord(at % 1)
    words.push(word)
    length += word.length + 1
  }
  return words.join(' ')
}
