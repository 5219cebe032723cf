// The committed result: one table for each topic, each figure of docs/decisions with its goal and whether it is met.
import { cpus } from 'node:os'
import Database from 'better-sqlite3'
import type { LoadResult } from './concurrency.ts'
import type { IngestResult } from './ingest.ts'
import type { Timing } from './measure.ts'
import type { ReadResult } from './reads.ts'
import type { ReceiptResult } from './receipts.ts'

export interface SizeResult {
  readonly ingest: IngestResult
  readonly reads: readonly ReadResult[]
  readonly receipts: ReceiptResult
  readonly load: LoadResult | undefined
}

export function report(results: readonly SizeResult[], minutes: number): string {
  return [
    '# Bench results',
    machine(minutes),
    'Written by `npm run bench`. Compare inside a row: product and baseline ran in turns, in one process, on the same data. Times are microseconds, warm.',
    ...ingestSection(results),
    ...storeSection(results),
    ...httpSection(results),
    ...growthSection(results),
    ...loadSection(results),
    ...receiptSection(results),
  ]
    .join('\n\n')
    .concat('\n')
}

function machine(minutes: number): string {
  const db = new Database(':memory:')
  const sqlite = db.prepare('select sqlite_version()').pluck().get()
  db.close()
  const date = new Date().toISOString().slice(0, 10)
  return `${date} · ${cpus().length} cores · Node ${process.versions.node} · SQLite ${sqlite} · ${minutes.toFixed(1)} minutes`
}

function ingestSection(results: readonly SizeResult[]): string[] {
  const rows = results.map(({ ingest }) => [
    whole(ingest.size),
    whole(ingest.product),
    whole(ingest.raw),
    whole(ingest.rawUnparsed),
    whole(ingest.rawWithChanges),
    percent(ingest.product / ingest.raw),
    '>= 60 %',
    verdict(ingest.product >= 0.6 * ingest.raw),
  ])
  const largest = results.at(-1)!.ingest
  const { before, tenth, after, peak } = largest.memory
  const memory = [
    [whole(largest.size), mb(before), mb(tenth), mb(after), mb(peak), 'flat', verdict(peak < tenth * 1.3)],
  ]
  return [
    '## Ingest',
    `Rows per second. Product: NDJSON bytes in chunks of 64 KB (${whole(largest.bytesPerRecord)} bytes a line), UTF-8 and schema checks, change log, all indexes. Raw: the same lines through \`JSON.parse\`, then inserts into a table with the same columns and indexes, 1,000 to a transaction. Beside it: rows parsed before the clock starts, and raw that also writes a change log of the same shape.`,
    table(['records', 'product', 'raw', 'raw, no parsing', 'raw, with change log', 'product / raw', 'goal', ''], rows),
    'Resident memory of the bench process (the baselines and the generator are in it) in MB while the product ingests:',
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
      `${(store.p50 / raw.p50).toFixed(2)}x`,
      page ? '<= 2x' : '',
      page ? verdict(store.p50 <= 2 * raw.p50) : '',
    ]),
  )
  return [
    '## Reads: the store under a grant, beside raw SQL that returns the same rows',
    'p50 / p95 / p99. A page has 25 records. Projection on the raw side is `JSON.parse`, five members, `JSON.stringify`. "Not run": the same read took over a quarter of a second at the size before.',
    table(['records', 'read', 'store', '', '', 'raw', '', '', 'p50 ratio', 'goal', ''], rows),
  ]
}

function httpSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ ingest, reads }) =>
    reads.map(({ name, raw, http }) => [
      whole(ingest.size),
      name,
      ...times(http),
      `${(http.p50 / raw.p50).toFixed(1)}x`,
      whole(http.p50 - raw.p50),
    ]),
  )
  return [
    '## Reads: whole requests in process',
    'Token, grant, rendering and a durable receipt included; no socket.',
    table(['records', 'read', 'p50', 'p95', 'p99', 'to raw SQL', 'on top of raw'], rows),
  ]
}

function growthSection(results: readonly SizeResult[]): string[] {
  const [small, large] = [results[0]!, results.at(-1)!]
  const rows =
    small === large
      ? []
      : large.reads.map(({ name, page, raw, store }, at) => {
          const first = small.reads[at]!
          const growth = store.p50 / first.store.p50
          const rawGrowth = raw.p50 / first.raw.p50
          const shown = [name.replace(/[\d,]+ records deep/, 'deep'), ratio(growth), ratio(rawGrowth)]
          return [...shown, page ? '<= 1.25x' : '', page ? verdict(growth <= 1.25) : '']
        })
  const deep = results.map(({ ingest, reads }) => {
    const growth = reads[2]!.store.p50 / reads[1]!.store.p50
    return [whole(ingest.size), reads[2]!.name, ratio(growth), '<= 1.25x', verdict(growth <= 1.25)]
  })
  const sizes = `${whole(large.ingest.size)} records to ${whole(small.ingest.size)}`
  return [
    '## No growth with size or depth',
    ...(rows.length > 0 ? [table([`p50 at ${sizes}`, 'store', 'raw', 'goal', ''], rows)] : []),
    table(['records', 'read', 'p50 to that of the first page', 'goal', ''], deep),
  ]
}

function loadSection(results: readonly SizeResult[]): string[] {
  const loaded = results.filter(({ load }) => load !== undefined)
  const rows = loaded.flatMap(({ ingest, load }) => {
    const { floor, record, page, floorTimes, recordTimes, pageTimes } = load!
    const row = (name: string, rate: number, timing: Timing, goal = '', met = '') => [
      ...[whole(ingest.size), name, whole(rate), percent(rate / floor), ms(timing.p50), ms(timing.p99)],
      ...[(timing.p99 / timing.p50).toFixed(1), goal, met],
    ]
    return [
      row('floor: resource metadata, no token', floor, floorTimes),
      row('record by id', record, recordTimes, '>= 50 %', verdict(record >= 0.5 * floor)),
      row('page of 25, five connections', page, pageTimes),
    ]
  })
  const memory = loaded.map(({ ingest, load }) => {
    const { before = Number.NaN, after = Number.NaN } = load!.memory
    return [whole(ingest.size), mb(before), mb(after), '<= 300 MB', verdict(after <= 300)]
  })
  return [
    '## Sixteen concurrent clients',
    'A server process on loopback, keep-alive connections, a client grant of four streams; the clients share the machine.',
    table(['records', 'request', 'per second', 'of floor', 'p50 ms', 'p99 ms', 'p99 / p50', 'goal', ''], rows),
    table(['records', 'server MB at start', 'after the load', 'goal', ''], memory),
  ]
}

function receiptSection(results: readonly SizeResult[]): string[] {
  const rows = results.map(({ ingest, receipts }) => [
    whole(ingest.size),
    whole(receipts.receiptBytes),
    whole(receipts.storeBytes),
    '<= 500 bytes; nothing else',
    verdict(receipts.receiptBytes <= 500 && receipts.storeBytes === 0),
  ])
  return [
    '## What a read writes',
    'Bytes for each of 1,000 reads of 25 records, with indexes, after a checkpoint.',
    table(['records', 'receipts.db', 'pdpp.db', 'goal', ''], rows),
  ]
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const verdict = (met: boolean): string => (met ? 'met' : '**missed**')
const whole = (value: number): string => (Number.isNaN(value) ? 'not run' : Math.round(value).toLocaleString('en'))
const percent = (share: number): string => `${Math.round(share * 100)} %`
const ratio = (value: number): string => `${value.toFixed(2)}x`
const mb = (value: number): string => (Number.isNaN(value) ? 'not known here' : whole(value))
const ms = (micros: number): string => (micros / 1000).toFixed(2)
const times = ({ p50, p95, p99 }: Timing): string[] => [p50, p95, p99].map(whole)
