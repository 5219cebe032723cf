import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PdppError } from '@pdpp/protocol'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AggregateQuery, AggregateResult } from '../../../aggregates/aggregate-store.ts'
import { abortSourceOf, RequestSignal } from '../../../lib/request-signal.ts'
import { scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import type { Storage } from '../../contract.ts'
import { sentTargets } from '../../words/sent-targets.ts'
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

describe('reads in threads', () => {
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

  test('return the same results and see the last write', async () => {
    const pool = new ReadPool(file)
    expect(await pool.run(task)).toEqual(await storage.aggregates.aggregate(scope, QUERY))
    await storage.writer.write(target('home'), [upsert({ id: 'later', mood: 'late', score: 1, title: 'gull' })])
    expect((await pool.run<AggregateResult>(task)).groups).toContainEqual({ keys: ['late'], count: 1, value: 1 })
    expect(await pool.run({ kind: 'count', scope, conditions: [], connectionId: undefined })).toBe(51)
    const targets = [{ scope, fields: ['title'], conditions: [] }]
    const page = { text: 'rope', limit: 3 }
    const { indexedThrough: _, ...found } = await storage.search.search(targets, page)
    expect(found).toMatchObject({ total: 50, hasMore: true })
    expect(await pool.run({ kind: 'search', targets: sentTargets(targets), page })).toEqual(found)
    await pool.close()
  })

  test('see every earlier write, even in quick succession', async () => {
    const pool = new ReadPool(file, { threads: 1 })
    const count = () => pool.run<number>({ kind: 'count', scope, conditions: [], connectionId: undefined })
    const before = await count()
    for (let written = 1; written <= 300; written++) {
      await storage.writer.write(target('home'), [upsert({ id: `next${written}`, mood: 'next', score: 1 })])
      expect(await count()).toBe(before + written)
    }
    await pool.close()
  })

  test('use kept threads, or threads that end without work', async () => {
    const [kept, other] = [{}, {}].map(() => new ReadPool(file, { threads: 1, idleMs: 20 })) as [ReadPool, ReadPool]
    kept.keepThreads()
    expect([kept.threads, other.threads]).toEqual([1, 0])
    for (const pool of [kept, other]) expect((await pool.run<AggregateResult>(task)).groups.length).toBeGreaterThan(0)
    await expect.poll(() => other.threads).toBe(0)
    expect(kept.threads).toBeGreaterThan(0)
    await Promise.all([kept.close(), other.close()])
  })

  test('use more threads than are kept only for a while', async () => {
    const pool = new ReadPool(file, { threads: 1, idleMs: 20 })
    pool.keepThreads()
    const targets = [{ scope, fields: ['title'], conditions: [] }]
    const search = { kind: 'search', targets: sentTargets(targets), page: { text: 'rope', limit: 1 } } as const
    const both = [pool.run(task), pool.run(search)]
    expect(pool.threads).toBe(2)
    await Promise.all(both)
    await expect.poll(() => pool.threads).toBe(1)
    await pool.run(task)
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(pool.threads).toBe(1)
    await pool.close()
  })

  test('read ahead in kept threads, if nobody waits for a read', async () => {
    const sent = vi.spyOn(Worker.prototype, 'postMessage')
    const [kept, other] = [{}, {}].map(() => new ReadPool(file, { threads: 1 })) as [ReadPool, ReadPool]
    kept.keepThreads()
    const ahead = () => sent.mock.calls.filter(([message]) => message.kind === 'read_ahead').length
    for (const pool of [kept, other]) {
      const read = pool.run(task)
      pool.readAhead()
      await read
      expect(ahead()).toBe(0)
    }
    other.readAhead()
    expect(ahead()).toBe(0)
    kept.readAhead()
    kept.readAhead()
    expect(ahead()).toBe(1)
    expect(await kept.run(task)).toEqual(await storage.aggregates.aggregate(scope, QUERY))
    sent.mockRestore()
    await Promise.all([kept.close(), other.close()])
  })

  test('share their thread with checkpoints of another file', async () => {
    const receipts = join(directory, 'log.db')
    const db = new Database(receipts)
    db.pragma('journal_mode = WAL')
    db.pragma('wal_autocheckpoint = 0')
    db.exec('create table receipt (text text)')
    for (let n = 0; n < 100; n++) db.exec(`insert into receipt values ('${'x'.repeat(4000)}')`)
    // The file grows only when the log is copied into it.
    expect(statSync(receipts).size).toBeLessThan(50_000)
    const pool = new ReadPool(file, { threads: 1, idleMs: 20 })
    const read = pool.run<AggregateResult>(task)
    await pool.checkpoint(receipts)
    expect(statSync(receipts).size).toBeGreaterThan(400_000)
    expect(pool.threads).toBe(1)
    expect((await read).groups.length).toBeGreaterThan(0)
    await expect.poll(() => pool.threads).toBe(0)
    db.close()
  })

  test('are not disturbed by a checkpoint that fails or is cut off', async () => {
    const pool = new ReadPool(file, { threads: 1, idleMs: 20 })
    await pool.checkpoint(join(directory, 'missing.db'))
    expect((await pool.run<AggregateResult>(task)).groups.length).toBeGreaterThan(0)
    const cutOff = pool.checkpoint(join(directory, 'missing.db'))
    await pool.close()
    await cutOff
  })

  const signalOf = (client: string, abort = new AbortController()) =>
    new RequestSignal(abortSourceOf(abort.signal), 30_000, client)

  test('are refused if too many are waiting, with the time to come back', async () => {
    const pool = new ReadPool(file, { threads: 1, queue: { total: 2, perClient: 2 } })
    const first = [pool.run(task), pool.run(task), pool.run(task)]
    const refused = (await pool.run(task).catch((error) => error)) as PdppError
    expect(refused).toMatchObject({ code: 'server_busy' })
    expect(refused.detail.retryAfterSeconds).toBeGreaterThan(0)
    await Promise.all(first)
    await pool.close()
  })

  test('of a client with many do not keep the others waiting', async () => {
    const pool = new ReadPool(file, { threads: 1, queue: { total: 20, perClient: 4 } })
    const order: string[] = []
    const run = (client: string) => pool.run(task, signalOf(client)).then(() => order.push(client))
    // The first one begins at once, and all others wait for it.
    const flood = Array.from({ length: 5 }, () => run('flood'))
    await expect(run('flood')).rejects.toMatchObject({ code: 'server_busy' })
    await Promise.all([...flood, run('b'), run('c')])
    expect(order).toEqual(['flood', 'flood', 'b', 'c', 'flood', 'flood', 'flood'])
    await pool.close()
  })

  test('and searches do not wait for each other', async () => {
    const pool = new ReadPool(file, { threads: 1, queue: { total: 1, perClient: 1 } })
    const long = [pool.run(task), pool.run(task)]
    await expect(pool.run(task)).rejects.toMatchObject({ code: 'server_busy' })
    const targets = [{ scope, fields: ['title'], conditions: [] }]
    const search = pool.run({ kind: 'search', targets: sentTargets(targets), page: { text: 'rope', limit: 1 } })
    expect(await search).toMatchObject({ total: 50 })
    await Promise.all(long)
    expect(pool.threads).toBe(2)
    await pool.close()
  })

  test('do not start if their clients have disconnected', async () => {
    const pool = new ReadPool(file, { threads: 1 })
    const gone = Array.from({ length: 3 }, () => new AbortController())
    const first = pool.run(task)
    const abandoned = gone.map((abort) => pool.run(task, signalOf('a', abort)).catch((error) => error.message))
    const begun = vi.spyOn(Worker.prototype, 'postMessage')
    for (const abort of gone) abort.abort()
    expect(pool.load).toEqual({ running: 1, waiting: 0, givenUp: 3 })
    expect(await Promise.all(abandoned)).toEqual(Array(3).fill('The client disconnected.'))
    await first
    await pool.run(task)
    expect(begun).toHaveBeenCalledTimes(1)
    begun.mockRestore()
    await pool.close()
  })

  test('that waited too long say that the server was busy', async () => {
    const pool = new ReadPool(file, { threads: 1, timeoutMs: 1 })
    const codes = await Promise.all([pool.run(task), pool.run(task)].map((one) => one.catch((error) => error.code)))
    expect(codes).toEqual(['request_timeout', 'server_busy'])
    await pool.close()
  })

  test('stop on timeout or disconnect, and the next one is answered', async () => {
    const pool = new ReadPool(file, { threads: 1, timeoutMs: 1 })
    await expect(pool.run(task)).rejects.toMatchObject({ code: 'request_timeout' })
    await pool.close()
    const fresh = new ReadPool(file, { threads: 1 })
    const expired = new RequestSignal(abortSourceOf(new AbortController().signal), 1)
    await expect(fresh.run(task, expired)).rejects.toMatchObject({ code: 'request_timeout' })
    await fresh.close()
    const unhurried = new ReadPool(file, { threads: 1 })
    const hangUp = new AbortController()
    const abandoned = unhurried.run(task, new RequestSignal(abortSourceOf(hangUp.signal), 30_000))
    const next = unhurried.run<AggregateResult>(task)
    hangUp.abort()
    await expect(abandoned).rejects.toMatchObject({ code: 'request_timeout' })
    expect((await next).groups.length).toBeGreaterThan(0)
    expect(unhurried.load).toEqual({ running: 0, waiting: 0, givenUp: 1 })
    // A client that has already disconnected is not queued.
    await expect(unhurried.run(task, new RequestSignal(abortSourceOf(hangUp.signal), 30_000))).rejects.toThrow(
      'disconnected',
    )
    await unhurried.close()
  })

  test('are refused if they are waiting when the server stops', async () => {
    const pool = new ReadPool(file, { threads: 1 })
    const waiting = [pool.run(task), pool.run(task)].map((one) => one.catch((error) => error.code))
    await pool.close()
    expect(await Promise.all(waiting)).toEqual(['server_busy', 'server_busy'])
  })
})
