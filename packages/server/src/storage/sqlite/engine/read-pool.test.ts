import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AggregateQuery, AggregateResult } from '../../../aggregates/aggregate-store.ts'
import { abortSourceOf, RequestSignal } from '../../../lib/request-signal.ts'
import { scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import type { Storage } from '../../contract.ts'
import { openSqliteStorage } from '../storage.ts'
import { ReadPool } from './read-pool.ts'

const QUERY: AggregateQuery = {
  metric: 'sum',
  field: 'score',
  groupBy: ['mood'],
  time: undefined,
  order: 'desc',
  limit: 10,
  conditions: [],
}

describe('reads in other threads', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-pool-'))
  const file = join(directory, 'pdpp.db')
  let storage: Storage
  const scope = scopeFor(['home'])
  const task = { kind: 'aggregate', scope, query: QUERY } as const

  beforeAll(async () => {
    storage = openSqliteStorage(directory)
    await seed(storage, ['home'])
    const rows = Array.from({ length: 50 }, (_, n) => ({
      id: `k${n}`,
      mood: n % 3 ? 'calm' : 'wild',
      score: 2 ** 40 + n,
    }))
    await storage.writer.write(
      target('home'),
      rows.map((row) => upsert({ ...row, title: 'gull rope' })),
    )
  })
  afterAll(async () => {
    await storage.close()
    rmSync(directory, { recursive: true, force: true })
  })

  test('come to the same, and see what was written just before', async () => {
    const pool = new ReadPool(file)
    expect(await pool.run(task)).toEqual(await storage.aggregates.aggregate(scope, QUERY))
    await storage.writer.write(target('home'), [upsert({ id: 'later', mood: 'late', score: 1, title: 'gull' })])
    expect((await pool.run<AggregateResult>(task)).groups).toContainEqual({ keys: ['late'], count: 1, value: 1 })
    expect(await pool.run({ kind: 'count', scope, conditions: [], connectionId: undefined })).toBe(51)
    const targets = [{ scope, fields: ['title'], conditions: [] }]
    expect(await pool.run({ kind: 'search_count', targets, text: 'rope', found: 0 })).toBe(50)
    await pool.close()
  })

  test('see every write that came before them, however closely they follow each other', async () => {
    const pool = new ReadPool(file, { workers: 1 })
    const count = () => pool.run<number>({ kind: 'count', scope, conditions: [], connectionId: undefined })
    const before = await count()
    for (let written = 1; written <= 300; written++) {
      await storage.writer.write(target('home'), [upsert({ id: `next${written}`, mood: 'next', score: 1 })])
      expect(await count()).toBe(before + written)
    }
    await pool.close()
  })

  test('have their threads from the start where they are kept, and else only while there is work', async () => {
    const [kept, other] = [{}, {}].map(() => new ReadPool(file, { workers: 2, idleMs: 20 })) as [ReadPool, ReadPool]
    kept.keepThreads()
    expect([kept.threads, other.threads]).toEqual([2, 0])
    for (const pool of [kept, other]) expect((await pool.run<AggregateResult>(task)).groups.length).toBeGreaterThan(0)
    await expect.poll(() => other.threads).toBe(0)
    expect(kept.threads).toBe(2)
    await Promise.all([kept.close(), other.close()])
  })

  test('share few threads, and are refused when too many wait', async () => {
    const pool = new ReadPool(file, { workers: 1, queue: 2 })
    const first = [pool.run(task), pool.run(task), pool.run(task)]
    await expect(pool.run(task)).rejects.toMatchObject({ code: 'server_busy' })
    await Promise.all(first)
    await pool.close()
  })

  test('are given up when their time is over or their caller has gone, and the next one is answered', async () => {
    const pool = new ReadPool(file, { workers: 1, timeoutMs: 1 })
    await expect(pool.run(task)).rejects.toMatchObject({ code: 'request_timeout' })
    await pool.close()
    const fresh = new ReadPool(file, { workers: 1 })
    const hasty = new RequestSignal(abortSourceOf(new AbortController().signal), 1)
    await expect(fresh.run(task, hasty)).rejects.toMatchObject({ code: 'request_timeout' })
    await fresh.close()
    const patient = new ReadPool(file, { workers: 1 })
    const hangUp = new AbortController()
    const abandoned = patient.run(task, new RequestSignal(abortSourceOf(hangUp.signal), 30_000))
    const next = patient.run<AggregateResult>(task)
    hangUp.abort()
    await expect(abandoned).rejects.toMatchObject({ code: 'request_timeout' })
    expect((await next).groups.length).toBeGreaterThan(0)
    expect(patient.load).toEqual({ running: 0, waiting: 0, givenUp: 1 })
    // Whoever has gone already is not even put in line.
    await expect(patient.run(task, new RequestSignal(abortSourceOf(hangUp.signal), 30_000))).rejects.toThrow(
      'disconnected',
    )
    await patient.close()
  })

  test('that wait when the server stops are told so', async () => {
    const pool = new ReadPool(file, { workers: 1 })
    const waiting = [pool.run(task), pool.run(task)].map((one) => one.catch((error) => error.code))
    await pool.close()
    expect(await Promise.all(waiting)).toEqual(['server_busy', 'server_busy'])
  })
})
