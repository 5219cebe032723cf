// The server is killed again and again while it undoes imports. Everything is undone once, and nothing only in part.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { requireDeclaration } from '@pdpp/protocol'
import { OWNER, openSqliteStorage } from '@pdpp/server'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { declaration, key, searched, stream } from '../fixtures/declaration.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'

const IMPORTS = 8
const ROWS = 400
const WAITS_MS = [0, 40, 90, 160]

const sourceOf = (name: string) =>
  requireDeclaration(declaration(name, { things: stream({ id: key(), text: searched() }) }))

/** Imports that were being undone when their server ended. */
async function half(dataDir: string): Promise<void> {
  const storage = openSqliteStorage(dataDir)
  const body = { files: [], overrides: {}, sources: [], leftOut: [], leftOutCount: 0, results: [], failures: [] }
  for (let n = 0; n < IMPORTS; n++) {
    const [importId, name] = [`imp_${n}`, `source-${n}`]
    await storage.imports.create(OWNER, importId, 'running', { ...body, holdsFiles: false }, Date.now())
    await storage.sources.declare(OWNER, sourceOf(name), importId)
    const connection = { connectionId: name, connectorKey: name, displayName: name, createdAt: 1, updatedAt: 1 }
    await storage.connections.create(OWNER, connection, importId)
    const target = { subjectId: OWNER, connectorKey: name, connectionId: name, stream: 'things' }
    const rows = Array.from({ length: ROWS }, (_, row) => ({ id: `t${row}`, text: `thing number ${row}` }))
    const writes = rows.map((members) => ({ key: members.id, emittedAt: 1, data: { members } }))
    await storage.writer.write(target, writes, importId)
    await storage.imports.change(OWNER, importId, { state: 'undoing' })
  }
  await storage.close()
}

it('takes back what imports made, however often it is killed', async () => {
  const dataDir = temporaryDirectory()
  const owner = { authorization: `Bearer ${(await runPdpp(['owner', 'token'], { dataDir })).stdout.trim()}` }
  await half(dataDir)
  for (const wait of WAITS_MS) {
    const server = await startServerProcess({ dataDir })
    await sleep(wait)
    await server.kill()
  }
  const server = await startServerProcess({ dataDir })
  const listed = async (path: string) =>
    ((await (await fetch(server.url + path, { headers: owner })).json()) as any).data.length
  await expect.poll(() => listed('/v1/connectors'), { timeout: 30_000 }).toBe(0)
  expect([await listed('/v1/owner/connections'), await listed('/v1/streams')]).toEqual([0, 0])
  const db = new Database(join(dataDir, 'pdpp.db'), { readonly: true })
  const count = (sql: string) => db.prepare(sql).pluck().get()
  await expect.poll(() => count("select count(*) from import where state = 'undone'")).toBe(IMPORTS)
  expect(count('select sum(removed) from import_feed')).toBe(IMPORTS * ROWS)
  expect(count("select count(*) from import_made where outcome = 'removed'")).toBe(2 * IMPORTS)
  expect(count('select count(*) from removed_connection')).toBe(IMPORTS)
  for (const table of ['feed', 'stream', 'change', 'tombstone', 'import_version', 'word_edition', 'word_segment'])
    expect([table, count(`select count(*) from ${table}`)]).toEqual([table, 0])
  expect(count("select count(*) from sqlite_master where name glob 'r[0-9]*'")).toBe(0)
  expect(count('pragma integrity_check')).toBe('ok')
  db.close()
  await server.stop()
}, 120_000)
