import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { ReadScope } from '../../../grants/read-scope.ts'
import { remove, scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import { Handle } from '../engine/database.ts'
import { openSqliteStorage } from '../storage.ts'
import { feedsInScope, feedsInScopes, streamTable, streamTables } from './feeds.ts'
import { LastChanges } from './last-change.ts'
import { RecordRows } from './record-rows.ts'

const CONNECTIONS = ['a', 'b', 'c', 'd']

async function filledStore() {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-changes-'))
  const storage = openSqliteStorage(directory)
  await seed(storage, CONNECTIONS)
  const at = (year: number) => `${year}-01-01T00:00:00Z`
  const entry = (id: string, year: number, emittedAt: number, secret = 'one') =>
    upsert({ id, at: at(year), title: id, secret }, emittedAt)
  await storage.writer.write(target('a'), [entry('new', 2024, 100), entry('old', 2010, 200)])
  await storage.writer.write(target('b'), [entry('old', 2010, 300)])
  await storage.writer.write(target('c'), [entry('new', 2024, 400)])
  await storage.writer.write(target('c'), [entry('new', 2024, 500, 'two')])
  await storage.writer.write(target('d'), [entry('new', 2024, 600)])
  await storage.writer.write(target('d'), [remove('new', 700)])
  const handle = new Handle(new Database(join(directory, 'pdpp.db'), { readonly: true }))
  onTestFinished(async () => {
    handle.db.close()
    await storage.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return { storage, handle, entry }
}

function rowsOf(handle: Handle, scope: ReadScope): RecordRows {
  const table = streamTable(handle, scope.subjectId, scope.connectorKey, scope.stream.name)!
  return new RecordRows(handle, scope, table, feedsInScope(handle, scope, table))
}

const time_constraint = { field: 'at', since: '2020-01-01T00:00:00Z' }

test('several feeds at once have the same times as one after another', async () => {
  const { handle, storage, entry } = await filledStore()
  const kept = new LastChanges(undefined)
  const look = async (scope: ReadScope) => {
    handle.noteWrite()
    const rows = rowsOf(handle, scope)
    const alone: (number | undefined)[] = []
    for (const feed of rows.feeds) alone.push(await new LastChanges(undefined).at(rows, feed))
    expect(await new LastChanges(undefined).all(rows, rows.feeds)).toEqual(alone)
    expect(await kept.all(rows, rows.feeds)).toEqual(alone)
    return alone
  }
  // A hidden field changed last in c, and what was deleted in d was visible.
  expect(await look(scopeFor(CONNECTIONS, {}))).toEqual([200, 300, 400, 700])
  expect(await look(scopeFor(CONNECTIONS, { time_constraint }))).toEqual([100, undefined, 400, 700])
  await storage.writer.write(target('b'), [entry('later', 2025, 800), entry('old', 2011, 900)])
  expect(await look(scopeFor(CONNECTIONS, { time_constraint }))).toEqual([100, 800, 400, 700])
  expect(await look(scopeFor(CONNECTIONS, {}))).toEqual([200, 900, 400, 700])
})

test('the tables and feeds of several scopes are those of each', async () => {
  const { handle } = await filledStore()
  const scopes = [
    scopeFor(['d', 'b', 'b']),
    scopeFor(['a', 'nowhere'], {}, {}, 'comments'),
    scopeFor(CONNECTIONS, {}),
    { ...scopeFor(['a']), connectorKey: 'unknown' },
  ]
  const tables = streamTables(handle, scopes)
  const alone = scopes.map((one) => streamTable(handle, one.subjectId, one.connectorKey, one.stream.name))
  expect(tables).toEqual(alone)
  const feeds = scopes.map((one, at) => (tables[at] ? feedsInScope(handle, one, tables[at]) : []))
  expect(feedsInScopes(handle, scopes, tables)).toEqual(feeds)
  expect(feeds.map(({ length }) => length)).toEqual([2, 0, 4, 0])
})
