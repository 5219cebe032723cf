import { percent, ratio, table, verdict, whole } from '../report/markdown.ts'
import type { PostgresResult } from './measure-postgres.ts'

const SEARCH_GOAL = 2
const INGEST_GOAL = 0.5

export function postgresSection({ size, version, ingest, reads, searches }: PostgresResult): string[] {
  const share = ingest.postgres / ingest.sqlite
  return [
    '## PostgreSQL',
    `The same ${whole(size)} records in PostgreSQL ${version} and in a data folder, both filled in this run. The database server runs on the same machine and is reached over a Unix socket. \`fsync\` and \`synchronous_commit\` are off, because a data folder does not wait for the disk either. Raw: hand-written, prepared statements on one connection to the same server, without grants, change log, word index and checks.`,
    'Ingest: rows per second, with one writer at a time. The three stores take turns, one block of records each:',
    table(
      ['PostgreSQL', 'data folder', 'raw', 'to the data folder', 'to raw', 'goal', ''],
      [
        [
          ...[whole(ingest.postgres), whole(ingest.sqlite), whole(ingest.raw), percent(share)],
          ...[percent(ingest.postgres / ingest.raw), '>= 50 %', verdict(share >= INGEST_GOAL)],
        ],
      ],
    ),
    'Reads: median time in microseconds. For a request, "raw" is its three statements: token, page or record, and receipt:',
    table(
      ['', 'PostgreSQL', 'raw', 'data folder', 'to raw', 'goal', ''],
      reads.map(({ name, goal, postgres, raw, sqlite }) => [
        ...[name, whole(postgres.p50), whole(raw.p50), whole(sqlite.p50), ratio(postgres.p50 / raw.p50)],
        ...(goal === undefined ? ['', ''] : [`<= ${goal}x`, verdict(postgres.p50 <= goal * raw.p50)]),
      ]),
    ),
    'Searches of all streams with warm caches: median time in microseconds:',
    table(
      ['', 'PostgreSQL', 'data folder', 'to the data folder', 'goal', ''],
      searches.map(({ name, postgres, sqlite }) => [
        ...[name, whole(postgres.p50), whole(sqlite.p50), ratio(postgres.p50 / sqlite.p50)],
        ...[`<= ${SEARCH_GOAL}x`, verdict(postgres.p50 <= SEARCH_GOAL * sqlite.p50)],
      ]),
    ),
  ]
}
