// The section about search and aggregates.
import { ms, percent, ratio, table, times, verdict, whole } from './markdown.ts'
import type { SizeResult } from './report.ts'

export function searchSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ ingest, search }) =>
    search
      .filter(({ within }) => within === undefined)
      .map(({ name, frequency, goalMs, http, store, ranked, newest }) => [
        ...[whole(ingest.size), name, frequency],
        ...[http.p50, http.p95, http.p99, http.cpu, store.p50, store.p95, ranked.p50, ranked.p95, newest.p50].map(ms),
        `<= ${goalMs} ms`,
        verdict(http.p95 <= goalMs * 1000, http.p95),
      ]),
  )
  const limited = results.flatMap(({ ingest, search }) =>
    search.flatMap(({ name, within, goalMs, http, store }) => {
      if (within === undefined) return []
      const cells = [http.p50, http.p95, http.p99, http.cpu, store.p50, store.p95].map(ms)
      return [
        [whole(ingest.size), name, within, ...cells, `<= ${goalMs} ms`, verdict(http.p95 <= goalMs * 1000, http.p95)],
      ]
    }),
  )
  const agreed = results.flatMap(({ ingest, search }) =>
    search.flatMap(({ name, agreement }) => {
      if (!agreement) return []
      const { equal, queries } = agreement
      return [[whole(ingest.size), name, String(queries), String(equal), 'all', verdict(equal === queries, equal)]]
    }),
  )
  return [
    '## Search',
    'Milliseconds for 25 hits from all four streams of five connections (20 word indexes), with eight different queries of each kind. Request: in process through the whole application, with a client grant, evidence and receipt. CPU: processor time of the request, because other work may share the machine. Store: the search alone, without evidence and receipt. Raw: one plain FTS5 table (`unicode61`) of all records that returns ids only, sorted by `bm25()` or by time. It joins several words with AND, and those of a question with OR. "In records": how many records contain the words, as counted in the data. Searches above 250 ms were run twice.',
    table(
      [
        ...['records', 'query', 'in records', 'request p50', 'p95', 'p99', 'CPU mean', 'store p50', 'p95'],
        ...['bm25 p50', 'p95', 'newest p50', 'p95 goal', ''],
      ],
      rows,
    ),
    'The same under grants with a time limit, which include about six tenths and one hundredth of the records. The server finds these records once, and again only when some of them change. The times do not include this.',
    table(
      ['records', 'query', 'grant', 'request p50', 'p95', 'p99', 'CPU mean', 'store p50', 'p95', 'p95 goal', ''],
      limited,
    ),
    'Queries with a word that under 1 % of the records contain: nDCG@25 of our first 25 hits, compared with a ranking of every matching record (its first is worth 25, its 25th 1, all others nothing).',
    table(['records', 'query', 'queries', 'equal', 'goal', ''], agreed),
  ]
}

export function aggregateSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ ingest, aggregates }) =>
    aggregates.map(({ name, raw, store, http }) => [
      ...[whole(ingest.size), name, ...times(store), ...times(raw), whole(http.p50)],
      ...[ratio(store.p50 / raw.p50), '<= 1.5x', verdict(store.p50 <= 1.5 * raw.p50, store.p50)],
    ]),
  )
  return [
    '## Aggregates',
    `p50 / p95 / p99. The stream \`messages\` (${percent(0.7)} of the records) of five connections; both sides return the same numbers. Raw: SQL written for each case on the same indexes, one connection after another. It checks summer time by its dates and computes months with \`strftime\`.`,
    table(['records', 'aggregate', 'store', '', '', 'raw', '', '', 'request p50', 'p50 ratio', 'goal', ''], rows),
  ]
}
