// The NDJSON lines that both the product and the baseline ingest.
import { type BenchFeed, type BenchRecord, records } from './generator.ts'

const ROWS_PER_TRANSACTION = 1000

interface Line {
  key: string
  emitted_at: string
  data: BenchRecord
}

export function parse(block: Buffer) {
  const lines = block.toString('utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const { data, emitted_at: emittedAt } = JSON.parse(line) as Line
    return { data, json: JSON.stringify(data), emittedAt: Date.parse(emittedAt) }
  })
}

/** Each block contains the lines of one transaction. */
export function* blocks(feed: BenchFeed, from = 0, to = feed.count, rows = ROWS_PER_TRANSACTION): Generator<Buffer> {
  let lines: string[] = []
  for (const data of records(feed, from, to)) {
    const line: Line = { key: data.id, emitted_at: data.sent_at, data }
    if (lines.push(JSON.stringify(line)) < rows) continue
    yield Buffer.from(`${lines.join('\n')}\n`)
    lines = []
  }
  if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
}
