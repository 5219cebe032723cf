import { expect, test } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import { scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import { Database } from '../engine/database.ts'
import { Session } from '../engine/session.ts'
import { openPostgresStorage } from '../storage.ts'

/** Records the statements of a read and explains each of them afterwards. */
async function plansOf(url: string, read: () => Promise<unknown>): Promise<string[]> {
  const seen: [string, unknown[]][] = []
  const { all, column } = Session.prototype
  Session.prototype.all = function (sql: string, ...values: unknown[]) {
    seen.push([sql, values])
    return all.call(this, sql, ...values) as never
  }
  Session.prototype.column = function (sql: string, ...values: unknown[]) {
    seen.push([sql, values])
    return column.call(this, sql, ...values) as never
  }
  await read().finally(() => Object.assign(Session.prototype, { all, column }))
  const database = new Database({ url })
  const plans: string[] = []
  for (const [sql, values] of seen.filter(([sql]) => /\brecord r\b|\bchange l\b/.test(sql)))
    plans.push((await database.column<string>(`explain ${sql}`, ...values)).join('\n'))
  await database.close()
  return plans
}

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
      const plans = await plansOf(url, read)
      expect(plans.length, name).toBeGreaterThan(0)
      for (const plan of plans) expect(plan, name).not.toMatch(/Seq Scan on (record|change|tombstone)/)
    }
    await storage.close()
    release()
  },
  120_000,
)
