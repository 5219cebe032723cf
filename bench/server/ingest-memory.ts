// Measures the memory of a process that ingests one file with the flags of `pdpp serve`. Another process generates the
// file.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { OWNER, openOffline, readConfig } from '@pdpp/server'
import type { BenchFeed } from '../data/generator.ts'
import { blocks } from '../data/ndjson.ts'
import { CONNECTIONS, CONNECTOR, SOURCE } from '../data/source.ts'
import { SERVER_FLAGS } from './server-flags.ts'

/** Resident memory in megabytes. */
export interface IngestMemory {
  readonly records: number
  readonly before: number
  readonly tenth: number
  readonly half: number
  readonly after: number
  readonly peak: number
}

export async function measureIngestMemory(directory: string, feed: BenchFeed): Promise<IngestMemory> {
  const args = [...SERVER_FLAGS, import.meta.filename, join(directory, 'memory'), feed.stream, feed.connectionId]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  const exited = once(child, 'exit')
  for (const block of blocks(feed)) if (!child.stdin.write(block)) await once(child.stdin, 'drain')
  child.stdin.end()
  const [code] = await exited
  if (code !== 0) throw new Error(`The process that takes in a file ended with ${code}.`)
  const { accepted, seen } = JSON.parse(printed) as { accepted: number; seen: number[] }
  if (accepted !== feed.count) throw new Error(`Not all records were taken: ${accepted} of ${feed.count}.`)
  const [tenth, half] = [seen[Math.ceil(seen.length / 10)]!, seen[Math.ceil(seen.length / 2)]!]
  return { records: feed.count, before: seen[0]!, tenth, half, after: seen.at(-1)!, peak: peakOf(seen) }
}

/** A call with all values as arguments would overflow the stack. */
const peakOf = (seen: readonly number[]): number => seen.reduce((peak, megabytes) => Math.max(peak, megabytes), 0)

async function takeIn(dataDir: string, stream: string, connectionId: string): Promise<void> {
  const { context, close } = await openOffline({
    ...readConfig({ dataDir }, {} as Parameters<typeof readConfig>[1]),
    port: 0,
  })
  await context.storage.sources.declare(OWNER, SOURCE)
  for (const id of CONNECTIONS) await context.connections.create(OWNER, { connectorKey: CONNECTOR, connectionId: id })
  const seen: number[] = []
  async function* body() {
    for await (const chunk of process.stdin) {
      seen.push(process.memoryUsage.rss() / 1_048_576)
      yield chunk as Buffer
    }
  }
  const target = { subjectId: OWNER, connectorKey: CONNECTOR, connectionId, stream }
  const { accepted } = await context.ingest.ingest(target, body())
  seen.push(process.memoryUsage.rss() / 1_048_576)
  await close()
  process.stdout.write(JSON.stringify({ accepted, seen }))
}

const [, script, dataDir, stream, connectionId] = process.argv
if (script === import.meta.filename) await takeIn(dataDir!, stream!, connectionId!)
