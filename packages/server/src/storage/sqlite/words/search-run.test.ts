import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { INDEXED_UNITS } from '../../../search/analysis/analyser.ts'
import { declaration, remove, SUBJECT, scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import { Handle } from '../engine/database.ts'
import { openSqliteStorage } from '../storage.ts'
import { SearchRunner } from './search-run.ts'

async function filledStore() {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-run-'))
  const storage = openSqliteStorage(directory)
  await seed(storage, ['home', 'work'])
  const open: Database.Database[] = []
  onTestFinished(async () => {
    for (const db of open) db.close()
    await storage.close()
    rmSync(directory, { recursive: true, force: true })
  })
  /** A thread's runner with a connection of its own, and the number of its statements so far. */
  const runner = () => {
    const db = new Database(join(directory, 'pdpp.db'), { readonly: true })
    open.push(db)
    const count = { statements: 0 }
    const handle = new Handle(db, { beforeStatement: () => count.statements++ })
    return { run: new SearchRunner(handle), count }
  }
  return { storage, runner }
}

const list = [{ scope: scopeFor(['home', 'work']), fields: ['title'], conditions: [] }]
const time_constraint = { field: 'at', since: '2020-01-01T00:00:00Z' }
const limited = [{ scope: scopeFor(['home', 'work'], { time_constraint }), fields: ['title'], conditions: [] }]
const title = (n: number) => ['gull rope', 'gull salt harbour', 'rope', 'salt ropes'][n % 4]!
const entry = (n: number) => upsert({ id: `k${n}`, title: title(n), at: `20${10 + (n % 20)}-01-01T00:00:00Z` })

test('a search after reading ahead reads no list of feeds or segments again', async () => {
  const { storage, runner } = await filledStore()
  await storage.writer.write(
    target('home'),
    Array.from({ length: 50 }, (_, n) => entry(n)),
  )
  const [ahead, late] = [runner(), runner()]
  const search = ({ run, count }: typeof ahead) => {
    const before = count.statements
    const result = run.run(
      () => list,
      { text: 'harbour', limit: 5 },
      () => {},
    )
    return { result, statements: count.statements - before }
  }
  for (const one of [ahead, late]) search(one)
  await storage.writer.write(target('home'), [entry(51)])
  ahead.run.readAhead([() => list])
  const [first, second] = [search(ahead), search(late)]
  expect(first.result).toEqual(second.result)
  expect(first.statements).toBeLessThan(second.statements - 3)
})

test('plans stay right, whatever is written', async () => {
  const { storage, runner } = await filledStore()
  const kept = runner()
  const search = ({ run, count }: typeof kept) => {
    const before = count.statements
    const result = run.run(
      () => list,
      { text: 'gull', limit: 20 },
      () => {},
    )
    return { result, statements: count.statements - before }
  }
  const isLike = async (change: () => Promise<unknown>) => {
    await change()
    const fresh = runner()
    expect(search(kept).result).toEqual(search(fresh).result)
  }
  const long = (n: number) => upsert({ id: `long${n}`, title: `gull ${'x '.repeat(INDEXED_UNITS / 2)}` })
  await isLike(() => storage.writer.write(target('home'), [entry(0), entry(1)]))
  await storage.writer.write(target('home'), [entry(5)])
  // The version, the epoch, the list of segments, the dead records, two of the new segment, and the hits.
  expect(search(kept).statements).toBe(8)
  await isLike(() => storage.writer.write(target('work'), [entry(4)]))
  await isLike(() => storage.connections.rename(SUBJECT, 'home', 'My journal', 5))
  await isLike(() => storage.writer.write(target('home'), [long(1)]))
  expect(search(kept).result.longFields).toEqual([{ stream: 'entries', field: 'title' }])
  await isLike(() => storage.writer.write(target('home'), [remove('long1')]))
  await isLike(() => storage.writer.wipe(target('home')))
  await isLike(() => storage.writer.write(target('home'), [entry(8)]))
  const streams = declaration.streams.map((stream) => ({ ...stream, cursor_field: null, consent_time_field: null }))
  await isLike(() => storage.sources.declare(SUBJECT, { ...declaration, streams } as never))
  await isLike(() => storage.connections.remove(SUBJECT, 'work'))
  expect(search(kept).result.found.map(({ connectionId }) => connectionId)).not.toContain('work')
})

test('reading ahead never changes an answer, whatever is written', async () => {
  const { storage, runner } = await filledStore()
  const ahead = runner()
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return seed % below
  }
  for (let step = 0; step < 60; step++) {
    const writes = Array.from({ length: 1 + random(12) }, () => {
      const n = random(80)
      return random(3) === 0 ? remove(`k${n}`, 3000 + step) : { ...entry(n), emittedAt: 3000 + step }
    })
    const byKey = new Map(writes.map((write) => [write.key, write]))
    await storage.writer.write(target(random(2) ? 'home' : 'work'), [...byKey.values()])
    if (random(2)) ahead.run.readAhead([() => list, () => limited])
    if (random(3) === 0) continue
    const fresh = runner()
    for (const targets of [list, limited])
      for (const text of ['gull', 'rope salt', '"salt harbour"', 'ropes -gull']) {
        const answers = [ahead, fresh].map(({ run }) =>
          run.run(
            () => targets,
            { text, limit: 20 },
            () => {},
          ),
        )
        expect(answers[0]).toEqual(answers[1])
      }
  }
})
