import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { PdppError } from '@pdpp/protocol'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { BlobFiles } from '../../../blob-files.ts'
import { declaration, seed, target, upsert } from '../../../contract/contract.fixture.ts'
import { MAIN_FILE } from '../../installation/file-check.ts'
import { openSqliteStorage } from '../../storage.ts'
import { type Databases, openDatabases } from '../database.ts'
import { faultOf } from '../fault.ts'
import { WriteRouter } from './write-router.ts'
import { startWorker, WriteThread } from './write-thread.ts'
import { createWrittenStores, isLong, writesOf } from './written-stores.ts'

const SUBJECT = 'owner_local'
const directories: string[] = []
const newDirectory = () => {
  directories.push(mkdtempSync(join(tmpdir(), 'pdpp-writer-')))
  return directories.at(-1)!
}
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

const records = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => upsert({ id: `r${from + n}`, title: `walnut ${n}`, weight: 1 }))

async function errorOf(call: Promise<unknown>): Promise<Error & { code?: string }> {
  return call.then(() => new Error('it succeeded')).catch((error) => error)
}

/** A connection that holds the write lock, as another process does. */
function locked(directory: string): Database.Database {
  const other = new Database(join(directory, MAIN_FILE))
  onTestFinished(() => void other.close())
  other.exec('begin immediate')
  return other
}

describe('the writing thread', () => {
  const directory = newDirectory()
  let databases: Databases
  let thread: WriteThread
  let wrote = 0
  let isEnded = false

  beforeAll(async () => {
    const storage = openSqliteStorage(directory)
    await seed(storage)
    await storage.close()
    databases = openDatabases(directory)
    databases.onWrite(() => wrote++)
    thread = await WriteThread.start(directory, {
      written: (written) => databases.noteWrite(written),
      removedBlob: () => {},
      ended: () => {
        isEnded = true
      },
    })
  })
  afterAll(async () => {
    await thread.close()
    await databases.close()
    expect(isEnded).toBe(false)
  })

  const call = (store: Parameters<typeof isLong>[0], method: string, ...values: unknown[]) =>
    thread.call({ store, method, values }, isLong(store, method))
  const setting = (name: string) =>
    databases.reader.cachedUntilWrite(`setting ${name}`, () =>
      databases.reader.get<{ value: string }>('select value from setting where name = ?', name),
    )?.value

  it('commits before it answers, so that the main thread reads it at once', async () => {
    expect(setting('colour')).toBeUndefined()
    const before = wrote
    await call('settings', 'saveSetting', SUBJECT, 'colour', 'green')
    expect(setting('colour')).toBe('green')
    expect(wrote).toBeGreaterThan(before)
  })

  it('keeps every digit of a number', async () => {
    const weight = JSON.rawJSON('12345678901234567890.10')
    const write = upsert({ id: 'exact', weight })
    expect(await call('records', 'write', target(), [write])).toEqual(['accepted'])
    expect(await call('records', 'write', target(), [write])).toEqual(['unchanged'])
    const sql = "select data from r1 where key = 'exact'"
    expect(databases.reader.get<{ data: string }>(sql)!.data).toContain('12345678901234567890.10')
  })

  it('passes on errors with their code, ours and those of SQLite', async () => {
    const refused = await errorOf(call('records', 'write', target('nowhere'), records(1)))
    expect(refused).toBeInstanceOf(PdppError)
    expect(refused.code).toBe('connection_not_found')
    const failed = await errorOf(call('tokens', 'create', { hash: new Uint8Array(2), audience: [] }))
    expect(failed).not.toBeInstanceOf(PdppError)
    expect(failed.code).toMatch(/^SQLITE_CONSTRAINT/)
    expect(faultOf(failed)).toBeUndefined()
  })

  it('runs short calls before long ones that came earlier', async () => {
    const order: string[] = []
    const other = locked(directory)
    const first = call('settings', 'saveSetting', SUBJECT, 'first', '1')
    const calls = [
      call('records', 'write', target(), records(100)).then(() => order.push('long')),
      call('records', 'write', target(), records(100, 100)).then(() => order.push('long')),
      call('settings', 'saveSetting', SUBJECT, 'second', '2').then(() => order.push('short')),
    ]
    // The thread waits for the lock, so all calls are there when it chooses the next one.
    await nextTurn()
    other.exec('commit')
    await Promise.all([first, ...calls])
    expect(order).toEqual(['short', 'long', 'long'])
  })

  it('lets the main thread go on while it waits for the lock', async () => {
    const other = locked(directory)
    const write = call('settings', 'saveSetting', SUBJECT, 'late', 'yes')
    for (let turn = 0; turn < 20; turn++) {
      await nextTurn()
      expect(setting('late')).toBeUndefined()
    }
    other.exec('commit')
    await write
    expect(setting('late')).toBe('yes')
  })
})

describe('the way of a write', () => {
  async function open(limits: ConstructorParameters<typeof WriteRouter>[3] = {}) {
    const directory = newDirectory()
    const databases = openDatabases(directory)
    const stores = createWrittenStores(databases, directory, new BlobFiles(directory))
    const threads: Worker[] = []
    const connect = () => {
      threads.push(startWorker(directory))
      return threads.at(-1)!
    }
    const start = (ended: () => void) =>
      WriteThread.start(directory, { written: databases.noteWrite, removedBlob: () => {}, ended }, connect)
    const router = new WriteRouter(stores, databases, start, limits)
    onTestFinished(async () => {
      await router.close()
      await databases.close()
    })
    const routed = router.routed()
    await routed.sources.declare(SUBJECT, declaration)
    const home = { connectionId: 'home', connectorKey: 'journal', displayName: undefined, createdAt: 1, updatedAt: 1 }
    await routed.connections.create(SUBJECT, home)
    return { directory, databases, stores, router, routed, threads }
  }

  it('stays in the main thread for a few records, and leaves it for many', async () => {
    const { router, routed, stores, databases } = await open()
    await routed.records.write(target(), records(200))
    expect(router.hasThread).toBe(false)
    expect(router.batchRows).toBeLessThan(100)
    for (let from = 200; !router.hasThread; from += 50) {
      await routed.records.write(target(), records(50, from))
      await nextTurn()
    }
    expect(router.batchRows).toBe(1000)
    // A write that is not routed would wait for the lock in the main thread, so it is refused.
    await expect(stores.settings.saveSetting(SUBJECT, 'colour', 'red')).rejects.toThrow('Another thread writes')
    expect(() => databases.writer.get('delete from setting returning value')).toThrow(/readonly/)
    await routed.settings.saveSetting(SUBJECT, 'colour', 'green')
    expect(await routed.settings.setting(SUBJECT, 'colour')).toBe('green')
  })

  it('waits for the thread before it deletes the records of a large store', async () => {
    const { router, routed, databases } = await open()
    databases.writer.run(
      'insert into feed (subject_id, connection_id, stream_no, record_count) values (?, ?, 1, 5000)',
      SUBJECT,
      'home',
    )
    await routed.records.wipe(target())
    expect(router.hasThread).toBe(true)
  })

  it('needs no thread for what a large store does at every start', async () => {
    const { router, routed, databases } = await open()
    const sql = 'insert into feed (subject_id, connection_id, stream_no, record_count) values (?, ?, 1, 5000)'
    databases.writer.run(sql, SUBJECT, 'home')
    await routed.records.resume()
    await routed.blobs.sweep()
    await routed.imports.prune(SUBJECT, { imports: 5, since: 0 })
    expect(await routed.sources.declare(SUBJECT, declaration)).toBe('unchanged')
    expect(router.hasThread).toBe(false)
    await routed.sources.declare(SUBJECT, { ...declaration, declaration_version: 'next' })
    expect(router.hasThread).toBe(true)
  })

  it('comes back after a pause without long work', async () => {
    const { router, routed, stores } = await open({ idleMs: 1 })
    await routed.records.write(target(), records(1500))
    while (!router.hasThread) await nextTurn()
    while (router.hasThread) await nextTurn()
    await stores.settings.saveSetting(SUBJECT, 'colour', 'blue')
    await routed.records.write(target(), records(10, 5000))
  })

  it('restarts a broken thread, and waiting calls get an error', async () => {
    const { router, routed, threads, directory } = await open({ thread: 'always' })
    await routed.settings.saveSetting(SUBJECT, 'colour', 'blue')
    const other = locked(directory)
    const write = routed.settings.saveSetting(SUBJECT, 'colour', 'green')
    await nextTurn()
    await threads[0]!.terminate()
    await expect(write).rejects.toThrow('The writing thread ended.')
    other.exec('commit')
    expect(router.hasThread).toBe(false)
    await routed.settings.saveSetting(SUBJECT, 'colour', 'red')
    expect(await routed.settings.setting(SUBJECT, 'colour')).toBe('red')
  })

  it('is closed to all while the files are rewritten', async () => {
    const { router, routed } = await open()
    const order: string[] = []
    let finish = () => {}
    const rewriting = router.exclusive(() => new Promise<void>((resolve) => (finish = resolve)))
    const write = routed.settings.saveSetting(SUBJECT, 'colour', 'green').then(() => order.push('written'))
    for (let turn = 0; turn < 10; turn++) await nextTurn()
    expect(order).toEqual([])
    finish()
    await rewriting
    await write
    expect(order).toEqual(['written'])
  })

  it('is known for every method that writes', async () => {
    const { router, routed, stores } = await open({ thread: 'always' })
    await routed.settings.saveSetting(SUBJECT, 'colour', 'green')
    expect(router.hasThread).toBe(true)
    for (const [name, store] of Object.entries(stores))
      for (const method of writesOf(name as keyof typeof stores))
        expect(method in store, `${name}.${method}`).toBe(true)
  })
})
