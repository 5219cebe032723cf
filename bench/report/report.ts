// Writes the report that is committed as bench/results.md. Its tables show the goal of a number and whether it is met.
import { cpus, loadavg } from 'node:os'
import Database from 'better-sqlite3'
import { type AdapterResult, adapterSection } from '../adapter.ts'
import type { ShapeResult } from '../data/shapes.ts'
import type { PostgresResult } from '../postgres/measure-postgres.ts'
import { postgresSection } from '../postgres/report-postgres.ts'
import type { AggregateTiming } from '../reads/aggregates.ts'
import type { ReadResult } from '../reads/reads.ts'
import type { ReceiptResult } from '../reads/receipts.ts'
import type { AfterWriteResult } from '../search/after-writes.ts'
import type { ConnectionsResult } from '../search/connections.ts'
import type { LongTextResult } from '../search/long-texts.ts'
import type { SearchResults } from '../search/search.ts'
import type { StartResult } from '../server/cold-start.ts'
import type { LoadResult } from '../server/concurrency.ts'
import { type EventsResult, eventsSection } from '../server/events.ts'
import type { FairnessResult } from '../server/fairness.ts'
import type { IngestResult } from '../server/ingest.ts'
import type { Probes } from '../server/probes.ts'
import type { UnitRow } from '../server/request-units.ts'
import type { RequestAfterWriteResult } from '../server/requests-after-writes.ts'
import { percent, ratio, table, verdict, whole } from './markdown.ts'
import { aggregateSection } from './report-aggregates.ts'
import { growthSection } from './report-growth.ts'
import { depthSection, httpSection, storeSection } from './report-reads.ts'
import { searchSection } from './report-search.ts'
import { fairnessSection, loadSection, receiptSection, requestsSection, startSection } from './report-server.ts'
import { afterWritesSection, connectionsSection, longTextsSection } from './report-words.ts'

/** The measurements with one size of the store. A section that was not run is undefined. */
export interface SizeResult {
  readonly ingest: IngestResult
  readonly reads: readonly ReadResult[] | undefined
  readonly receipts: ReceiptResult | undefined
  readonly aggregates: readonly AggregateTiming[] | undefined
  readonly search: SearchResults | undefined
  readonly connections: readonly ConnectionsResult[] | undefined
  readonly afterWrites: readonly AfterWriteResult[] | undefined
  readonly requestsAfterWrites: readonly RequestAfterWriteResult[] | undefined
  readonly probes: Probes | undefined
  readonly requests: readonly UnitRow[] | undefined
  readonly starts: StartResult | undefined
  readonly load: LoadResult | undefined
  readonly fairness: FairnessResult | undefined
}

/** The measurements that do not use these stores. A section that was not run is undefined. */
export interface OtherResults {
  readonly shapes: readonly ShapeResult[] | undefined
  readonly longTexts: readonly LongTextResult[] | undefined
  readonly events: EventsResult | undefined
  readonly adapter: AdapterResult | undefined
  readonly postgres: PostgresResult | undefined
}

export function report(results: readonly SizeResult[], others: OtherResults, minutes: number): string {
  const { shapes, longTexts, events, adapter, postgres } = others
  return [
    '# Bench results',
    machine(minutes),
    'Written by `npm run bench`. Compare only values of the same row: the product and its baseline ran alternately, in the same run, on the same data. Times are microseconds after a warm-up, unless a section says otherwise. CPU is the CPU time of all threads of the process, unless a section says otherwise. If other programs used the machine, CPU says more than time.',
    ...ingestSection(results),
    ...diskSection(results),
    ...searchSection(results),
    ...connectionsSection(results),
    ...afterWritesSection(results),
    ...(longTexts ? longTextsSection(longTexts) : []),
    ...requestsSection(results),
    ...fairnessSection(results),
    ...loadSection(results),
    ...startSection(results),
    ...storeSection(results),
    ...httpSection(results),
    ...depthSection(results),
    ...aggregateSection(results),
    ...(shapes ? growthSection(results, shapes) : []),
    ...receiptSection(results),
    ...(events ? eventsSection(events) : []),
    ...(adapter ? adapterSection(adapter) : []),
    ...(postgres ? postgresSection(postgres) : []),
  ]
    .join('\n\n')
    .concat('\n')
}

function machine(minutes: number): string {
  const db = new Database(':memory:')
  const sqlite = db.prepare('select sqlite_version()').pluck().get()
  db.close()
  const date = new Date().toISOString().slice(0, 10)
  // Load average of 15 minutes. The bench itself causes a load of about 1. If the load is much higher, other programs
  // used the machine and wall times mean little.
  const load = loadavg()[2]!.toFixed(1)
  return `${date} · ${cpus().length} cores · load ${load} · Node ${process.versions.node} · SQLite ${sqlite} · ${minutes.toFixed(1)} minutes`
}

function ingestSection(results: readonly SizeResult[]): string[] {
  if (results.length === 0) return []
  const rows = results.map(({ ingest: { size, product, raw, rawWithoutWords } }) => {
    const share = product.cpu / raw.cpu
    return [
      ...[whole(size), whole(product.cpu), whole(raw.cpu), whole(rawWithoutWords.cpu)],
      ...[percent(share), percent(product.cpu / rawWithoutWords.cpu)],
      ...[whole(product.wall), whole(raw.wall), percent(product.wall / raw.wall)],
      ...['>= 60 %', verdict(share >= 0.6)],
    ]
  })
  const largest = results.at(-1)!.ingest
  const { records, ...seen } = largest.memory
  const flat = records < 100_000 ? '' : verdict(seen.peak <= seen.tenth + 64)
  const megabytes = [seen.before, seen.tenth, seen.half, seen.after, seen.peak].map(whole)
  const memory = [[whole(records), ...megabytes, 'flat: peak within 64 MB of a tenth', flat]]
  return [
    '## Ingest',
    `Rows per second of CPU, and rows per second of time. Product: reads NDJSON in chunks of 64 KB (${whole(largest.bytesPerRecord)} bytes a line), checks UTF-8 and the schema, and writes the change log, the six indexes of the table and the word index of three fields. All merging of the word index in the background is included. Raw: parses the same lines with \`JSON.parse\`. It inserts them into a table with the same columns and indexes and into a contentless FTS5 table (\`unicode61\`) of the same fields, with 1,000 records per transaction and without change log and checks. "No words" is raw without FTS5. The product always has a word index. The goal applies to CPU.`,
    table(
      [
        ...['records', 'product, CPU', 'raw, CPU', 'no words, CPU', 'product / raw', 'to no words'],
        ...['product, time', 'raw, time', 'product / raw', 'goal', ''],
      ],
      rows,
    ),
    'Resident memory in MB of a process that ingests one file with as many records as the largest store, with the flags of `pdpp serve`. Another process generates the file:',
    table(['records', 'before', 'after a tenth', 'after half', 'after', 'peak', 'goal', ''], memory),
  ]
}

const MEGABYTE = 1_000_000

function diskSection(results: readonly SizeResult[]): string[] {
  if (results.length === 0) return []
  const rows = results.map(({ ingest: { size, disk } }) => [
    ...[whole(size), whole(disk.data / MEGABYTE), whole(disk.product / MEGABYTE), whole(disk.raw / MEGABYTE)],
    ...[ratio(disk.product / disk.data), ratio(disk.raw / disk.data)],
    ...['<= 1.5x', verdict(disk.product <= 1.5 * disk.data)],
    disk.parts.map(({ name, bytes }) => `${name} ${ratio(bytes / disk.data)}`).join(', '),
  ])
  return [
    '## Disk',
    'Megabytes after a checkpoint. Data: the ingested NDJSON. Raw: the hand-written tables with FTS5 and a change log. "Parts": what the product stores, as multiples of the data. A record is stored as the JSON that was received, together with columns for its indexed fields.',
    table(['records', 'data', 'product', 'raw', 'product / data', 'raw / data', 'goal', '', 'parts'], rows),
  ]
}
