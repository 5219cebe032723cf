// The sections about reads of records: the store and whole requests, compared with raw SQL.
import type { ReadResult } from '../reads/reads.ts'
import { ratio, table, times, verdict, whole } from './markdown.ts'
import type { SizeResult } from './report.ts'

interface SizedReads {
  readonly size: number
  readonly reads: readonly ReadResult[]
}

const readOf = (results: readonly SizeResult[]): SizedReads[] =>
  results.flatMap(({ ingest, reads }) => (reads ? [{ size: ingest.size, reads }] : []))

export function storeSection(results: readonly SizeResult[]): string[] {
  const rows = readOf(results).flatMap(({ size, reads }) =>
    reads.map(({ name, goal, raw, store }) => {
      const share = store.p50 / raw.p50
      return [
        ...[whole(size), name, ...times(store), whole(store.cpu), ...times(raw), whole(raw.cpu)],
        ...[ratio(share), ratio(store.cpu / raw.cpu)],
        ...(goal === undefined ? ['', ''] : [`<= ${goal}x`, verdict(share <= goal, share)]),
      ]
    }),
  )
  if (rows.length === 0) return []
  return [
    '## Reads: the store under a grant, compared with raw SQL for the same rows',
    'p50 / p95 / p99, and mean CPU. The goal applies to the p50. A page has 25 records. Each page is read many times, so its texts were checked before: a page that is read for the first time costs more, because its texts are parsed. For a projection, the raw side runs `JSON.parse`, picks five fields and runs `JSON.stringify`. Without an index, the raw side scans the table and reads the field with `->>`. A blank row was not measured, because the read took over a quarter of a second in the next smaller store.',
    table(
      [...['records', 'read', 'store', '', '', 'CPU', 'raw', '', '', 'CPU', 'p50 ratio', 'CPU ratio', 'goal', '']],
      rows,
    ),
  ]
}

export function httpSection(results: readonly SizeResult[]): string[] {
  const rows = readOf(results).flatMap(({ size, reads }) =>
    reads.map(({ name, raw, http }) => [
      ...[whole(size), name, ...times(http), whole(http.cpu)],
      ...[ratio(http.p50 / raw.p50), whole(http.p50 - raw.p50)],
    ]),
  )
  if (rows.length === 0) return []
  return [
    '## Reads: complete requests in process',
    'The same reads as whole requests. They include the token, the grant, the rendering and a stored receipt, but no socket.',
    table(['records', 'read', 'p50', 'p95', 'p99', 'CPU', 'p50 / raw p50', 'p50 - raw p50'], rows),
  ]
}

const FLAT = '<= 1.25x the growth of raw'
const isFlat = (growth: number, raw: number): boolean => growth <= 1.25 * Math.max(1, raw)

export function depthSection(results: readonly SizeResult[]): string[] {
  const all = readOf(results)
  const [small, large] = [all[0], all.at(-1)]
  if (!small || !large) return []
  const sizes = `${whole(large.size)} / ${whole(small.size)} records`
  return [
    '## No growth with size or depth',
    'Hand-written SQL also takes longer in a larger store, because a smaller part of the store is in the cache. The goal therefore compares the growth of the store with the growth of raw SQL.',
    ...(small === large ? [] : [table([`p50, ${sizes}`, 'store', 'raw', 'goal', ''], sizeRows(small, large))]),
    table(['records', 'read', 'p50 / p50 of the first page', 'raw', 'goal', ''], all.flatMap(depthRows)),
  ]
}

function sizeRows(small: SizedReads, large: SizedReads): string[][] {
  return large.reads.map(({ name, page, raw, store }, at) => {
    const first = small.reads[at]!
    const [growth, rawGrowth] = [store.p50 / first.store.p50, raw.p50 / first.raw.p50]
    const cells = [name.replace(/[\d,]{6,} records deep/, 'deep'), ratio(growth), ratio(rawGrowth)]
    return [...cells, page ? FLAT : '', page ? verdict(isFlat(growth, rawGrowth), growth) : '']
  })
}

function depthRows({ size, reads }: SizedReads): string[][] {
  const first = reads.find(({ name }) => name.startsWith('first page, five'))!
  return reads
    .filter(({ name }) => name.startsWith('keyset'))
    .map(({ name, store, raw }) => {
      const [growth, rawGrowth] = [store.p50 / first.store.p50, raw.p50 / first.raw.p50]
      const cells = [whole(size), name, ratio(growth), ratio(rawGrowth)]
      return [...cells, FLAT, verdict(isFlat(growth, rawGrowth), growth)]
    })
}
