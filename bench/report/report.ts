// The committed report: one table per topic, with the goal of each number and whether it is met.
import { cpus, loadavg } from 'node:os'
import Database from 'better-sqlite3'
import type { ShapeResult } from '../data/shapes.ts'
import type { AggregateTiming } from '../reads/aggregates.ts'
import type { ReadResult } from '../reads/reads.ts'
import type { ReceiptResult } from '../reads/receipts.ts'
import type { SearchResult } from '../search/search.ts'
import type { LoadResult } from '../server/concurrency.ts'
import type { FairnessResult } from '../server/fairness.ts'
import type { IngestResult } from '../server/ingest.ts'
import type { Probes } from '../server/probes.ts'
import type { UnitRow } from '../server/request-units.ts'
import { percent, ratio, table, times, verdict, whole } from './markdown.ts'
import { fairnessSection, unitSection } from './report-fairness.ts'
import { growthSection } from './report-growth.ts'
import { aggregateSection, searchSection } from './report-search.ts'
import { loadSection, receiptSection } from './report-server.ts'

export interface SizeResult {
  readonly ingest: IngestResult
  readonly reads: readonly ReadResult[]
  readonly receipts: ReceiptResult
  readonly aggregates: readonly AggregateTiming[]
  readonly search: readonly SearchResult[]
  readonly probes: Probes
  readonly load: LoadResult | undefined
  readonly units: readonly UnitRow[] | undefined
  readonly fairness: FairnessResult | undefined
}

export function report(
  results: readonly SizeResult[],
  shapes: readonly ShapeResult[],
  minutes: number,
  adapter: readonly string[],
): string {
  return [
    '# Bench results',
    machine(minutes),
    'Written by `npm run bench`. Compare values within a row: product and baseline ran alternately, in one process, on the same data. Times are microseconds after a warm-up.',
    ...ingestSection(results),
    ...storeSection(results),
    ...httpSection(results),
    ...depthSection(results),
    ...searchSection(results),
    ...aggregateSection(results),
    ...growthSection(results, shapes),
    ...unitSection(results),
    ...loadSection(results),
    ...fairnessSection(results),
    ...receiptSection(results),
    ...adapter,
  ]
    .join('\n\n')
    .concat('\n')
}

function machine(minutes: number): string {
  const db = new Database(':memory:')
  const sqlite = db.prepare('select sqlite_version()').pluck().get()
  db.close()
  const date = new Date().toISOString().slice(0, 10)
  // Load average of 15 minutes. If it is well above 1 (our own work), the machine was shared and wall times mean
  // little.
  const load = loadavg()[2]!.toFixed(1)
  return `${date} · ${cpus().length} cores · load ${load} · Node ${process.versions.node} · SQLite ${sqlite} · ${minutes.toFixed(1)} minutes`
}

function ingestSection(results: readonly SizeResult[]): string[] {
  const rows = results.map(({ ingest }) => [
    whole(ingest.size),
    whole(ingest.product),
    whole(ingest.raw),
    whole(ingest.rawWithoutWords),
    percent(ingest.product / ingest.raw),
    percent(ingest.product / ingest.rawWithoutWords),
    '>= 60 %',
    verdict(ingest.product >= 0.6 * ingest.raw),
  ])
  const largest = results.at(-1)!.ingest
  const { records, before, tenth, after, peak } = largest.memory
  const flat = records < 100_000 ? '' : verdict(peak <= tenth + 64)
  const memory = [[whole(records), whole(before), whole(tenth), whole(after), whole(peak), 'flat: within 64 MB', flat]]
  return [
    '## Ingest',
    `Rows per second. Product: NDJSON bytes in chunks of 64 KB (${whole(largest.bytesPerRecord)} bytes a line), UTF-8 and schema checks, change log, the six indexes of the table and the word index of three fields. Raw: the same lines parsed with \`JSON.parse\`, then inserted into a table with the same columns and indexes and into a contentless FTS5 table (\`unicode61\`) of the same fields, 1,000 records per transaction, without change log and checks. "Raw, no word index" is the same without the word index; the product always has one.`,
    table(
      ['records', 'product', 'raw', 'raw, no word index', 'product / raw', 'to raw, no word index', 'goal', ''],
      rows,
    ),
    'Resident memory in MB of a process that ingests the largest file, with the flags of `pdpp serve`. Another process generates the file:',
    table(['records', 'before', 'after a tenth', 'after', 'peak', 'goal', ''], memory),
  ]
}

function storeSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ ingest, reads }) =>
    reads.map(({ name, page, raw, store }) => [
      whole(ingest.size),
      name,
      ...times(store),
      ...times(raw),
      ratio(store.p50 / raw.p50),
      page ? '<= 2x' : '',
      page ? verdict(store.p50 <= 2 * raw.p50, store.p50) : '',
    ]),
  )
  return [
    '## Reads: the store under a grant, compared with raw SQL for the same rows',
    'p50 / p95 / p99. A page has 25 records. Projection on the raw side is `JSON.parse`, five members, `JSON.stringify`. A blank row was not run, because the read took over a quarter of a second at the previous size.',
    table(['records', 'read', 'store', '', '', 'raw', '', '', 'p50 ratio', 'goal', ''], rows),
  ]
}

function httpSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ ingest, reads }) =>
    reads.map(({ name, raw, http }) => [
      whole(ingest.size),
      name,
      ...times(http),
      ratio(http.p50 / raw.p50),
      whole(http.p50 - raw.p50),
    ]),
  )
  return [
    '## Reads: complete requests in process',
    'Includes the token, grant, rendering and a durable receipt, but no socket.',
    table(['records', 'read', 'p50', 'p95', 'p99', 'to raw SQL', 'on top of raw'], rows),
  ]
}

const FLAT = '<= 1.25x that of raw'
const isFlat = (growth: number, raw: number): boolean => growth <= 1.25 * Math.max(1, raw)

function depthSection(results: readonly SizeResult[]): string[] {
  const [small, large] = [results[0]!, results.at(-1)!]
  const rows =
    small === large
      ? []
      : large.reads.map(({ name, page, raw, store }, at) => {
          const first = small.reads[at]!
          const growth = store.p50 / first.store.p50
          const rawGrowth = raw.p50 / first.raw.p50
          const cells = [name.replace(/[\d,]{6,} records deep/, 'deep'), ratio(growth), ratio(rawGrowth)]
          return [...cells, page ? FLAT : '', page ? verdict(isFlat(growth, rawGrowth), growth) : '']
        })
  const deep = results.flatMap(({ ingest, reads }) => {
    const first = reads.find(({ name }) => name.startsWith('first page, five'))!
    return reads
      .filter(({ name }) => name.startsWith('keyset'))
      .map(({ name, store, raw }) => {
        const [growth, rawGrowth] = [store.p50 / first.store.p50, raw.p50 / first.raw.p50]
        const cells = [whole(ingest.size), name, ratio(growth), ratio(rawGrowth)]
        return [...cells, FLAT, verdict(isFlat(growth, rawGrowth), growth)]
      })
  })
  const sizes = `${whole(large.ingest.size)} records to ${whole(small.ingest.size)}`
  return [
    '## No growth with size or depth',
    'If hand-written SQL also takes longer in a larger store, because less of it is in the cache, this part of the growth is not counted.',
    ...(rows.length > 0 ? [table([`p50 at ${sizes}`, 'store', 'raw', 'goal', ''], rows)] : []),
    table(['records', 'read', 'p50 to that of the first page', 'raw', 'goal', ''], deep),
  ]
}
