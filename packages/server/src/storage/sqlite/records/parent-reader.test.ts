import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import { openDatabases } from '../engine/database.ts'
import { openSqliteStorage } from '../storage.ts'
import { feedsInScope, streamTable } from './feeds.ts'
import { readParents } from './parent-reader.ts'
import { RecordRows } from './record-rows.ts'

test('looks up three parents of a hundred children by index', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-parents-'))
  const storage = openSqliteStorage(directory)
  const { reader, writer } = openDatabases(directory)
  onTestFinished(async () => {
    for (const { db } of [reader, writer]) db.close()
    await storage.close()
    rmSync(directory, { recursive: true, force: true })
  })
  await seed(storage)
  const entries = Array.from({ length: 500 }, (_, n) => upsert({ id: `e${n}`, title: `Entry ${n}` }))
  await storage.writer.write(target('home'), entries)
  const comments = Array.from({ length: 100 }, (_, n) => upsert({ id: `c${n}`, entry_id: `e${n % 3}` }))
  await storage.writer.write(target('home', 'comments'), comments)

  const statements: string[] = []
  const spied = new Proxy(reader, {
    get: (handle, name) => {
      const member = Reflect.get(handle, name, handle)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        if (name === 'get' || name === 'all') statements.push(String(args[0]))
        return member.apply(handle, args)
      }
    },
  })
  const rowsOf = (stream: string) => {
    const scope = scopeFor(['home'], undefined, {}, stream)
    const table = streamTable(reader, scope.subjectId, scope.connectorKey, stream)!
    return new RecordRows(spied, scope, table, feedsInScope(reader, scope, table))
  }
  const [parents, children] = [rowsOf('entries'), rowsOf('comments')]
  const query = { sort: undefined, order: 'asc', after: undefined, limit: 100, maxBytes: 1e9 } as const
  const page = await storage.records.page(children.scope, query)
  const found: [string, number][] = []
  for await (const { parent, children: numbers } of readParents(parents, children, {
    from: children.scope,
    foreignKey: 'entry_id',
    children: page.records,
  }))
    found.push([parent.key, numbers.length])
  expect(found).toEqual([
    ['e0', 34],
    ['e1', 33],
    ['e2', 33],
  ])
  expect(statements).toHaveLength(4)
  for (const sql of statements) {
    const values = Array.from({ length: sql.split('?').length - 1 }, () => null)
    const plan = reader.db.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
    expect(plan.map(({ detail }) => detail).filter((detail) => detail.startsWith('SCAN r'))).toEqual([])
  }
})
