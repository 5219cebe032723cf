import { percent, ratio, table, times, verdict, whole } from './markdown.ts'
import type { SizeResult } from './report.ts'

export function aggregateSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ ingest, aggregates = [] }) =>
    aggregates.map(({ name, raw, store, http }) => [
      ...[whole(ingest.size), name, ...times(store), ...times(raw), whole(http.p50)],
      ...[ratio(store.p50 / raw.p50), '<= 1.5x', verdict(store.p50 <= 1.5 * raw.p50, store.p50)],
    ]),
  )
  if (rows.length === 0) return []
  return [
    '## Aggregates',
    `p50 / p95 / p99. Aggregates of the stream \`messages\` (${percent(0.7)} of the records) over five connections. Both sides return the same numbers. Raw: SQL that was written for each case. It uses the same indexes and reads one connection after another. It recognises summer time by its dates and computes months with \`strftime\`.`,
    table(['records', 'aggregate', 'store', '', '', 'raw', '', '', 'request p50', 'p50 ratio', 'goal', ''], rows),
  ]
}
