// The section about search: the core compared with plain FTS5, cold caches, grants, and a check of the ranking.
import type { SearchResults } from '../search/search.ts'
import { ms, ratio, table, verdict, whole } from './markdown.ts'
import type { SizeResult } from './report.ts'

interface SizedSearch extends SearchResults {
  readonly size: number
}

const LIMITED_GOAL = 1.2

export function searchSection(results: readonly SizeResult[]): string[] {
  const all = results.flatMap(({ ingest, search }) => (search ? [{ size: ingest.size, ...search }] : []))
  if (all.length === 0) return []
  return ['## Search', ...caseTable(all), ...coldTable(all), ...limitedTable(all), ...equalityTable(all)]
}

function caseTable(all: readonly SizedSearch[]): string[] {
  const rows = all.flatMap(({ size, cases }) =>
    cases.map(({ name, frequency, goal, rank, run, http, fts }) => {
      const share = rank.cpu / fts.cpu
      return [
        ...[whole(size), name, frequency, ms(rank.cpu), ms(rank.p50), ms(fts.cpu), ms(fts.p50), ratio(share)],
        ...(goal === undefined ? ['', ''] : [`<= ${goal}x`, verdict(share <= goal, share)]),
        ...[ms(run.cpu), ms(http.cpu), ms(http.p50), ms(http.p95), ms(http.p99)],
      ]
    }),
  )
  return [
    'Milliseconds for the first 25 hits from all four streams of five connections, with eight different queries of each kind. Core: finds, weighs and ranks all matches by forms of words, fields and proximity, and counts them exactly, in one thread with warm caches. FTS5: one plain table (`unicode61`) of the same records. It joins the words with OR and returns ids sorted by `bm25()`. With hits: the core, plus reading the 25 records and cutting their excerpts. Request: the whole application in process, with the grant of a client, a reader thread and a receipt. "In records": how many records contain the words, as counted in the data. CPU values are means. Searches that take longer than 250 ms were run twice.',
    table(
      [
        ...['records', 'query', 'in records', 'core CPU', 'p50', 'FTS5 CPU', 'p50', 'core / FTS5, CPU', 'goal', ''],
        ...['with hits, CPU', 'request CPU', 'p50', 'p95', 'p99'],
      ],
      rows,
    ),
  ]
}

function coldTable(all: readonly SizedSearch[]): string[] {
  const rows = all.flatMap(({ size, cold }) =>
    cold.map(({ name, cold: first, warm, ftsCold, ftsWarm }) => [
      ...[whole(size), name, ms(first), ms(warm), ratio(first / warm)],
      ...[ms(ftsCold), ms(ftsWarm), ratio(ftsCold / ftsWarm), ratio(first / ftsCold)],
    ]),
  )
  return [
    'Cold: the first search on a new database connection. The connection has loaded the list of documents but none of the words. The operating system may have the file in its cache. CPU in milliseconds.',
    table(
      [
        ...['records', 'query', 'core, cold', 'warm', 'cold / warm'],
        ...['FTS5, cold', 'warm', 'cold / warm', 'core / FTS5, cold'],
      ],
      rows,
    ),
  ]
}

function limitedTable(all: readonly SizedSearch[]): string[] {
  const rows = all.flatMap(({ size, limited }) =>
    limited.map(({ name, grant, rank, whole: unlimited }) => {
      const share = rank.cpu / unlimited.cpu
      return [
        ...[whole(size), name, grant, ms(rank.cpu), ms(rank.p50), ms(unlimited.cpu), ms(unlimited.p50)],
        ...[ratio(share), `<= ${LIMITED_GOAL}x`, verdict(share <= LIMITED_GOAL, share)],
      ]
    }),
  )
  return [
    'The core under grants with a time limit, compared with the same searches under a grant of everything. Milliseconds. Hidden records must not make a search slower.',
    table(['records', 'query', 'grant', 'core CPU', 'p50', 'everything, CPU', 'p50', 'CPU ratio', 'goal', ''], rows),
  ]
}

function equalityTable(all: readonly SizedSearch[]): string[] {
  const rows = all.flatMap(({ size, agreement }) =>
    agreement.map(({ name, equal, queries }) => [
      ...[whole(size), name, whole(queries), whole(equal), 'all', verdict(equal === queries)],
    ]),
  )
  if (rows.length === 0) return []
  return [
    'Equality: for how many queries the first 25 hits and their order are the same as in a ranking that reads every text. That ranking shares only the analyser with the search.',
    table(['records', 'query', 'queries', 'equal', 'goal', ''], rows),
  ]
}
