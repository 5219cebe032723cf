import { expect, test } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import type { FieldCondition } from '../../../records/filter.ts'
import { remove, SUBJECT, scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import { Database } from '../engine/database.ts'
import { Session } from '../engine/session.ts'
import { openPostgresStorage } from '../storage.ts'

type Seen = [sql: string, values: unknown[]]

/** The statements that this thread runs for a piece of work. */
async function statementsOf(work: () => Promise<unknown>): Promise<Seen[]> {
  const seen: Seen[] = []
  const methods = ['all', 'column', 'get', 'run'] as const
  const original = Object.fromEntries(methods.map((method) => [method, Session.prototype[method]]))
  for (const method of methods)
    Session.prototype[method] = function (this: Session, sql: string, ...values: unknown[]) {
      seen.push([sql, values])
      return original[method]!.call(this, sql, ...values) as never
    }
  await work().finally(() => Object.assign(Session.prototype, original))
  return seen.filter(([sql]) => /^\s*(select|with|insert|update|delete)/i.test(sql))
}

async function explained(url: string, seen: readonly Seen[], setting = ''): Promise<string[]> {
  const database = new Database({ url })
  const plans: string[] = []
  await database.quiet(async (session) => {
    if (setting !== '') await session.run(setting)
    for (const [sql, values] of seen) plans.push((await session.column<string>(`explain ${sql}`, ...values)).join('\n'))
  })
  await database.close()
  return plans
}

/** Tables that grow with the data of an owner. */
const LARGE =
  'record|change|tombstone|receipt|word_part|word_segment|word_dead|blob|blob_chunk|blob_reference|token|session|setting|feed|stream|connection|access_grant'
/** A plan that sorts the rows of a feed after reading them. */
const SORTED_FEED = /Sort +\(.*\n +Sort Key.*\n +-> +(Index|Bitmap|Seq)[^\n]* on record/

test.skipIf(whyNoPostgres() !== undefined)(
  'hot reads walk an index',
  async () => {
    const { url, release } = await testDatabase()
    const storage = await openPostgresStorage({ url })
    await seed(storage, ['home', 'work'])
    for (const connection of ['home', 'work'])
      for (let from = 0; from < 6000; from += 1000)
        await storage.writer.write(
          target(connection),
          Array.from({ length: 1000 }, (_, n) => {
            const at = new Date(Date.UTC(2026, 0, 1) + (from + n) * 60_000).toISOString()
            return upsert({ id: `k${from + n}`, at, title: 'x', mood: `m${n % 50}`, score: n })
          }),
        )
    const database = new Database({ url })
    for (const table of ['record', 'change', 'feed', 'stream']) await database.run(`analyze ${table}`)
    await database.close()
    const scope = scopeFor(['home', 'work'])
    const page = { order: 'desc', limit: 25, maxBytes: 1e6 } as const
    const first = await storage.records.page(scope, { ...page, sort: 'at', after: undefined })
    const after = first.records.at(-1)!.position
    const mood = [{ field: 'mood', operator: 'eq', value: 'm7' } as const]
    const since = await storage.records.versions(scope)
    const reads: Record<string, () => Promise<unknown>> = {
      'first page': () => storage.records.page(scope, { ...page, sort: 'at', after: undefined }),
      'deep page': () => storage.records.page(scope, { ...page, sort: 'at', after }),
      'by number': () => storage.records.page(scope, { ...page, sort: 'score', after: undefined }),
      'by arrival': () => storage.records.page(scope, { ...page, sort: undefined, after: undefined }),
      'filtered page': () => storage.records.page(scope, { ...page, sort: 'at', after: undefined, conditions: mood }),
      record: () => storage.records.find(scope, 'k17'),
      'last changes': () =>
        storage.records.changes(scope, {
          since: since.map(({ feed, version }) => ({ feed, version: version - 20 })),
          ...{ horizon: since, limit: 100, maxBytes: 1e6 },
        }),
    }
    for (const [name, read] of Object.entries(reads)) {
      const seen = (await statementsOf(read)).filter(([sql]) => /\brecord r\b|\bchange l\b/.test(sql))
      const plans = await explained(url, seen)
      expect(plans.length, name).toBeGreaterThan(0)
      for (const plan of plans) {
        // Whether an empty table is read whole depends on when it was last vacuumed. The next test covers tombstones.
        expect(plan, name).not.toMatch(/Seq Scan on (record|change)/)
        // The few records with one key may be sorted.
        if (name !== 'record') expect(plan, name).not.toMatch(SORTED_FEED)
        expect(plan, name).toMatch(/Index (Only )?Scan (Backward )?using (record|change)_\w+/)
      }
    }
    await storage.close()
    release()
  },
  120_000,
)

test.skipIf(whyNoPostgres() !== undefined)('every statement of a request can use an index', async () => {
  const { url, release } = await testDatabase()
  const storage = await openPostgresStorage({ url })
  await seed(storage)
  await storage.writer.write(
    target(),
    Array.from({ length: 50 }, (_, n) =>
      upsert({ id: `k${n}`, at: '2026-01-01T00:00:00Z', title: `gull ${n}`, score: n }),
    ),
  )
  const scope = scopeFor(['home'])
  const hash = new Uint8Array(32)
  const token = { subjectId: SUBJECT, kind: 'owner' as const, audience: ['v1' as const], createdAt: 1 }
  const none = { clientId: undefined, grantId: undefined, packageId: undefined, expiresAt: undefined }
  await storage.tokens.create({ ...token, ...none, revokedAt: undefined, authorizationId: undefined, hash })
  const receipt = {
    ...({ at: 1, subjectId: SUBJECT, clientId: 'c', grantId: 'g', surface: 'rest', operation: 'records' } as const),
    ...{ connectorKey: 'journal', stream: 'entries', connections: ['home'], fields: ['id'], records: [1, 2] },
    ...{ bytes: 1, outcome: 'ok', requestId: 'r' },
  }
  const conditions: FieldCondition[] = []
  const aggregate = { metric: 'count', field: undefined, groupBy: ['score'], time: undefined } as const
  const horizon = await storage.records.versions(scope)
  const since = horizon.map(({ feed }) => ({ feed, version: 20 }))
  const work: Record<string, () => Promise<unknown>> = {
    changes: () => storage.records.changes(scope, { since, horizon, limit: 100, maxBytes: 1e6 }),
    token: () => storage.tokens.find(hash),
    sources: () => storage.sources.find(SUBJECT, 'journal'),
    connections: () => storage.connections.list(SUBJECT),
    'append a receipt': () => storage.receipts.append(receipt),
    'list receipts': () => storage.receipts.list(SUBJECT, { limit: 25 }),
    count: () => storage.records.count(scope),
    groups: () => storage.aggregates.aggregate(scope, { ...aggregate, order: 'asc', limit: 9, conditions }),
    search: () => storage.search.search([{ scope, fields: ['title'], conditions }], { text: 'gull', limit: 5 }),
    update: () => storage.writer.write(target(), [upsert({ id: 'k7', title: 'tern' }), remove('k8')]),
    settings: () => storage.setting(SUBJECT, 'colour'),
  }
  for (const [name, run] of Object.entries(work)) {
    const seen = await statementsOf(run)
    expect(seen.length, name).toBeGreaterThan(0)
    // The planner may read a small table whole. With that forbidden, the plan shows which queries have no index.
    for (const [n, plan] of (await explained(url, seen, 'set local enable_seqscan = off')).entries())
      expect(`${name}: ${plan}`, seen[n]![0]).not.toMatch(new RegExp(`Seq Scan on (${LARGE})\\b`))
  }
  await storage.close()
  release()
})
