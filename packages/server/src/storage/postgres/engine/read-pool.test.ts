import type { PdppError } from '@pdpp/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longestTurn } from '../../../../../../tests/fixtures/longest-turn.ts'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import type { AggregateQuery } from '../../../aggregates/aggregate-store.ts'
import { abortSourceOf, RequestSignal } from '../../../lib/request-signal.ts'
import type { PageQuery } from '../../../records/record-store.ts'
import { scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import type { Storage } from '../../contract.ts'
import { Owners } from '../installation/owners.ts'
import { Streams } from '../records/feeds.ts'
import { Declarations } from '../sources/declaration-reader.ts'
import { openPostgresStorage } from '../storage.ts'
import { SearchRunner } from '../words/search-run.ts'
import { Database } from './database.ts'

/** More records than a search handles in the event loop. */
const RECORDS = 15_000
const WORDS = 'gull rope salt fog oar reef sail mast pier quay net boat tide lamp anchor harbour'.split(' ')
/**
 * Milliseconds of computing between two turns. Cutting the words of a batch, or ranking, takes several times as long.
 */
const SHORT = 40

const AGGREGATE: AggregateQuery = {
  ...{ metric: 'sum', field: 'score', groupBy: ['mood'], time: undefined },
  ...{ order: 'desc', limit: 10, conditions: [] },
}

/** No index has this field. */
const SCANNED: PageQuery = {
  ...{ sort: 'at', order: 'desc', after: undefined, limit: 5, maxBytes: 10_000 },
  conditions: [{ field: 'secret', operator: 'eq', value: 'no' }],
}

const titleOf = (n: number, words = 12) =>
  Array.from({ length: words }, (_, at) => WORDS[(n * 7 + at * at) % WORDS.length]).join(' ')

/** The milliseconds that this thread computes in each of several runs. */
async function spentOn(work: () => Promise<unknown>, runs = 30): Promise<number> {
  const before = process.threadCpuUsage()
  for (let run = 0; run < runs; run++) await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / runs
}

const signalOf = (client: string, abort = new AbortController()) =>
  new RequestSignal(abortSourceOf(abort.signal), 30_000, client)

describe.skipIf(whyNoPostgres() !== undefined)('the event loop of a server on PostgreSQL', () => {
  let [storage, url] = [undefined as unknown as Storage, '']
  let release = () => {}
  let turnOfWrites = 0
  const scope = scopeFor(['home'])
  const targets = [{ scope, fields: ['title'], conditions: [] }]
  const text = `${WORDS.slice(0, 12).join(' ')}`

  beforeAll(async () => {
    const database = await testDatabase()
    ;({ url, release } = database)
    storage = await openPostgresStorage({ url })
    await seed(storage, ['home'])
    turnOfWrites = await longestTurn(async () => {
      const { batchRows } = storage.writer
      for (let from = 0; from < RECORDS; from += batchRows) {
        const rows = Array.from({ length: batchRows }, (_, n) => ({
          id: `k${from + n}`,
          title: titleOf(from + n),
          score: n,
        }))
        await storage.writer.write(
          target('home'),
          rows.map((row) => upsert({ ...row, mood: `m${row.score % 5}` })),
        )
      }
    })
  }, 120_000)

  afterAll(async () => {
    await storage.close()
    release()
  })

  test('is not held by merges of what is written', () => {
    expect(turnOfWrites).toBeLessThan(SHORT)
  })

  test('is not held by a search, whose answer is the same in any thread', async () => {
    const page = { text, limit: 25 }
    const other = await storage.search.search(targets, page, signalOf('a'))
    expect(other.total).toBe(RECORDS)
    // The index is already loaded.
    const spent = await spentOn(() => storage.search.search(targets, page, signalOf('a')))
    const database = new Database({ url })
    const subject = (await new Owners(database).find(scope.subjectId))!
    const runner = new SearchRunner(new Streams(new Declarations()))
    const here = () =>
      database.snapshot((session) =>
        runner.run(session, subject, { name: targets, read: async () => targets }, page, () => {}),
      )
    expect(await here()).toEqual(other)
    const spentHere = await spentOn(here)
    await database.close()
    expect(spent).toBeLessThan(spentHere / 2)
  })

  test.each([
    ['searches', (n: number) => storage.search.search(targets, { text, limit: 25 }, signalOf(`c${n % 32}`))],
    ['pages without an index', (n: number) => storage.records.page(scope, SCANNED, signalOf(`c${n % 32}`))],
    ['aggregates', (n: number) => storage.aggregates.aggregate(scope, AGGREGATE, signalOf(`c${n % 32}`))],
  ])(
    'is not held by 256 callers, whose %s are bounded',
    async (_what, read) => {
      const outcomes: unknown[] = []
      const calls = () => Promise.all(Array.from({ length: 256 }, (_, n) => read(n).catch((error: PdppError) => error)))
      const before = storage.readLoad()
      expect(await longestTurn(async () => void outcomes.push(...(await calls())))).toBeLessThan(SHORT * 2)
      const refused = outcomes.filter((outcome) => outcome instanceof Error) as PdppError[]
      // Besides the running reads, 64 may wait.
      expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(64)
      expect(refused.length).toBeGreaterThan(100)
      for (const error of refused) expect(error.code).toBe('server_busy')
      for (const error of refused) expect(error.detail.retryAfterSeconds).toBeGreaterThan(0)
      expect(storage.readLoad()).toEqual({ ...before, running: 0, waiting: 0 })
    },
    60_000,
  )

  test('is free while a statement runs, which ends when its caller hangs up', async () => {
    const database = new Database({ url, maxConnections: 2 })
    const hangUp = new AbortController()
    const sleeping = database.cancellable(signalOf('a', hangUp), (session) => session.get('select pg_sleep(20)'))
    const running = `select count(*)::int n from pg_stat_activity where query like '%pg_sleep(20)%' and state = 'active'
      and pid <> pg_backend_pid()`
    const sleepers = async () => (await database.get<{ n: number }>(running))!.n
    await expect.poll(sleepers).toBe(1)
    hangUp.abort()
    await expect(sleeping).rejects.toThrow('The client disconnected.')
    expect(await sleepers()).toBe(0)
    await database.close()
  })

  test('is not held by the words of long texts', async () => {
    const long = Array.from({ length: 100 }, (_, n) => upsert({ id: `k${n}`, title: `long ${titleOf(n, 2000)}` }))
    const [first, ...others] = [0, 1, 2].map((round) => long.map((one) => ({ ...one, key: `${round} ${one.key}` })))
    // The first write starts the thread and compiles code, so it is not measured.
    await storage.writer.write(target('home'), first!)
    const turn = await longestTurn(async () => {
      for (const rows of others) await storage.writer.write(target('home'), rows)
    })
    expect(turn).toBeLessThan(SHORT)
  })

  test('is made ready for a large index, with words that searches find', async () => {
    const { common } = await storage.makeReady()
    expect(common).toHaveLength(12)
    for (const word of common) {
      const { total } = await storage.search.search(targets, { text: word, limit: 1 }, signalOf('a'))
      expect(total).toBeGreaterThan(1000)
    }
    expect(storage.readLoad().running).toBe(0)
  })
})
