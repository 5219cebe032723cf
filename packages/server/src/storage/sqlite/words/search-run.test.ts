import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { remove, scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
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
  expect(first.statements).toBeLessThan(second.statements - 5)
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
