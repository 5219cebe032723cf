import { percent, ratio, table, verdict, whole } from '../report/markdown.ts'
import type { PostgresResult } from './measure-postgres.ts'

const SEARCH_GOAL = 2
const INGEST_GOAL = 0.5

export function postgresSection({ size, version, ingest, reads, searches }: PostgresResult): string[] {
  const share = ingest.postgres / ingest.sqlite
  return [
    '## PostgreSQL',
    `The same ${whole(size)} records in PostgreSQL ${version} and in a data folder, both filled in this run. The database server runs on the same machine, over a Unix socket, with \`fsync\` and \`synchronous_commit\` off, as a data folder does not wait for the disk either. Raw: hand-written statements on one connection to the same server, prepared, without grants, change log, words and checks.`,
    'Rows per second, one writer at a time, blocks in turn:',
    table(
      ['PostgreSQL', 'data folder', 'raw', 'to the data folder', 'to raw', 'goal', ''],
      [
        [
          ...[whole(ingest.postgres), whole(ingest.sqlite), whole(ingest.raw), percent(share)],
          ...[percent(ingest.postgres / ingest.raw), '>= 50 %', verdict(share >= INGEST_GOAL)],
        ],
      ],
    ),
    'Reads, microseconds (median). "Raw" of a request is its three statements: token, page or record, receipt:',
    table(
      ['', 'PostgreSQL', 'raw', 'data folder', 'to raw', 'goal', ''],
      reads.map(({ name, goal, postgres, raw, sqlite }) => [
        ...[name, whole(postgres.p50), whole(raw.p50), whole(sqlite.p50), ratio(postgres.p50 / raw.p50)],
        ...(goal === undefined ? ['', ''] : [`<= ${goal}x`, verdict(postgres.p50 <= goal * raw.p50)]),
      ]),
    ),
    'Searches of all streams, warm, microseconds (median):',
    table(
      ['', 'PostgreSQL', 'data folder', 'to the data folder', 'goal', ''],
      searches.map(({ name, postgres, sqlite }) => [
        ...[name, whole(postgres.p50), whole(sqlite.p50), ratio(postgres.p50 / sqlite.p50)],
        ...[`<= ${SEARCH_GOAL}x`, verdict(postgres.p50 <= SEARCH_GOAL * sqlite.p50)],
      ]),
    ),
  ]
}
