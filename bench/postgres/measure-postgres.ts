// Compares the PostgreSQL store with hand-written statements on the same server, and with a data folder.
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { type Context, openOffline, type RunningServer, readConfig } from '@pdpp/server'
import pg from 'pg'
import { findPostgres, startPostgres } from '../../scripts/postgres.ts'
import { type BenchFeed, feedsOf, idOf } from '../data/generator.ts'
import { blocks } from '../data/ndjson.ts'
import { BIG_STREAM, CONNECTIONS, SEARCHED, STREAMS } from '../data/source.ts'
import { wordOf } from '../data/vocabulary.ts'
import { BYTES, issueGrant, PAGE } from '../reads/read-setup.ts'
import { request } from '../reads/reads.ts'
import { compare, Stopwatch, type Timing } from '../report/measure.ts'
import { chunks, declareSource, ingestInto } from '../server/ingest.ts'
import { RawStatements } from './raw-statements.ts'

/** Max. ratios to raw statements. A request may take longer, because it also parses, checks and writes JSON. */
const [STORE_GOAL, REQUEST_GOAL] = [2, 3]

/** Milliseconds for each kind of search. It needs more time than other reads, because both sides wait for threads. */
const SEARCH_MS = 4000

type Server = Pick<RunningServer, 'app' | 'context' | 'close'>

export interface PostgresResult {
  readonly size: number
  readonly version: string
  /** Rows a second. */
  readonly ingest: { readonly sqlite: number; readonly postgres: number; readonly raw: number }
  readonly reads: readonly ReadRow[]
  readonly searches: readonly { readonly name: string; readonly sqlite: Timing; readonly postgres: Timing }[]
}

interface ReadRow {
  readonly name: string
  /** Max. ratio to raw statements. */
  readonly goal: number | undefined
  readonly raw: Timing
  readonly postgres: Timing
  readonly sqlite: Timing
}

/** Undefined if there is no PostgreSQL on this machine. */
export async function measurePostgres(directory: string, size: number): Promise<PostgresResult | undefined> {
  const binaries = findPostgres()
  if (binaries === undefined) return
  const database = await startPostgres(join(directory, 'server'), binaries)
  const admin = new pg.Client({ connectionString: database.url('postgres') })
  await admin.connect()
  await admin.query(`create database bench encoding 'UTF8' template template0`)
  const { rows } = await admin.query<{ server_version: string }>('show server_version')
  await admin.end()
  const url = database.url('bench')
  const config = (name: string) =>
    readConfig({ dataDir: join(directory, name) }, {} as Parameters<typeof readConfig>[1])
  const sqlite = await openOffline({ ...config('files'), port: 0 })
  const postgres = await openOffline({ ...config('beside'), port: 0, databaseUrl: url })
  const raw = await RawStatements.open(url)
  try {
    const feeds = feedsOf(size)
    const ingest = await measureIngest(sqlite, postgres, raw, feeds)
    await raw.settled()
    await raw.analyze()
    const reads = await measureReads(sqlite, postgres, raw, feeds)
    const searches = await measureSearches(sqlite.context, postgres.context)
    return { size, version: rows[0]!.server_version, ingest, reads, searches }
  } finally {
    await raw.close()
    await sqlite.close()
    await postgres.close()
    database.process.kill('SIGINT')
  }
}

async function measureIngest(sqlite: Server, postgres: Server, raw: RawStatements, feeds: readonly BenchFeed[]) {
  const watches = { sqlite: new Stopwatch(), postgres: new Stopwatch(), raw: new Stopwatch() }
  for (const { context } of [sqlite, postgres]) await declareSource(context, CONNECTIONS)
  for (const feed of feeds) {
    for (const block of blocks(feed)) {
      await watches.sqlite.time(() => ingestInto(sqlite.context, feed, chunks([block])))
      await watches.postgres.time(() => ingestInto(postgres.context, feed, chunks([block])))
      await watches.raw.time(() => raw.insert(feed.index, block))
    }
  }
  const total = feeds.reduce((sum, feed) => sum + feed.count, 0)
  const rate = ({ wall }: Stopwatch) => total / wall
  return { sqlite: rate(watches.sqlite), postgres: rate(watches.postgres), raw: rate(watches.raw) }
}

async function measureReads(
  sqlite: Server,
  postgres: Server,
  raw: RawStatements,
  feeds: readonly BenchFeed[],
): Promise<ReadRow[]> {
  const query = {
    conditions: [],
    sort: 'sent_at',
    order: 'desc',
    after: undefined,
    limit: PAGE,
    maxBytes: BYTES,
  } as const
  const prepared = async ({ context }: Server) => {
    const { token, authority } = await issueGrant(context)
    return { token, scope: await context.records.scope(authority, { stream: BIG_STREAM }) }
  }
  const [own, other] = [await prepared(postgres), await prepared(sqlite)]
  const first = feeds.find((feed) => feed.stream === BIG_STREAM)!
  const keyOf = (round: number) => idOf(first, round % Math.min(first.count, 500))
  const tokenHash = hash('sha256', own.token, 'buffer')
  const path = `/v1/streams/${BIG_STREAM}/records?limit=${PAGE}`
  const recordPath = (round: number) => `/v1/streams/${BIG_STREAM}/records/${keyOf(round)}`
  const whole = async (read: () => Promise<unknown>) => {
    await raw.token(tokenHash)
    await read()
    await raw.receipt()
  }
  const rows: ReadRow[] = []
  type Works = Parameters<typeof compare<'raw' | 'postgres' | 'sqlite'>>[0]
  const add = async (name: string, goal: number | undefined, works: Works) =>
    void rows.push({ name, goal, ...(await compare(works)) })
  await add('a page of 25, five feeds merged', STORE_GOAL, {
    raw: () => raw.page(PAGE + 1),
    postgres: () => postgres.context.storage.records.page(own.scope, query),
    sqlite: () => sqlite.context.storage.records.page(other.scope, query),
  })
  await add('a record by its key', STORE_GOAL, {
    raw: (round) => raw.record(keyOf(round)),
    postgres: (round) => postgres.context.storage.records.find(own.scope, keyOf(round)),
    sqlite: (round) => sqlite.context.storage.records.find(other.scope, keyOf(round)),
  })
  await add('a request for a page, token and receipt included', REQUEST_GOAL, {
    raw: () => whole(() => raw.page(PAGE + 1)),
    postgres: () => request(postgres, path, own.token),
    sqlite: () => request(sqlite, path, other.token),
  })
  await add('a request for a record, token and receipt included', undefined, {
    raw: (round) => whole(() => raw.record(keyOf(round))),
    postgres: (round) => request(postgres, recordPath(round), own.token),
    sqlite: (round) => request(sqlite, recordPath(round), other.token),
  })
  return rows
}

/** Searches for words by their rank in the vocabulary. Each kind has eight different searches. */
const SEARCHES: readonly [name: string, text: (at: number) => string][] = [
  ['one rare word', (at) => wordOf(9000 + at * 37)],
  ['one word of medium frequency', (at) => wordOf(1500 + at * 13)],
  ['one common word', (at) => wordOf(30 + at)],
  ['three words', (at) => [5, 60, 250].map((rank) => wordOf(rank + at)).join(' ')],
  ['eight words', (at) => [1, 20, 90, 300, 700, 1500, 3000, 5000].map((rank) => wordOf(rank + at)).join(' ')],
]

async function measureSearches(sqlite: Context, postgres: Context): Promise<PostgresResult['searches']> {
  const targetsOf = async (context: Context) => {
    const { authority } = await issueGrant(context)
    const scopes = STREAMS.map(([stream]) => context.records.scope(authority, { stream }))
    return (await Promise.all(scopes)).map((scope) => ({ scope, fields: SEARCHED, conditions: [] }))
  }
  const [own, other] = [await targetsOf(postgres), await targetsOf(sqlite)]
  const results = []
  for (const [name, text] of SEARCHES) {
    const page = (round: number) => ({ text: text(round % 8), limit: PAGE })
    const timings = await compare(
      {
        sqlite: (round) => sqlite.storage.search.search(other, page(round)),
        postgres: (round) => postgres.storage.search.search(own, page(round)),
      },
      SEARCH_MS,
    )
    results.push({ name, ...timings })
  }
  return results
}
