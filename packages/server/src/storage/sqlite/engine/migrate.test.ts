import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { declaration, SUBJECT, scopeFor } from '../../contract/contract.fixture.ts'
import { layoutOf } from '../../records/layout.ts'
import { receiptHash } from '../../rows/receipt-encoding.ts'
import { inspectChain } from '../installation/inspection.ts'
import { columnNames, createTable } from '../records/stream-table.ts'
import { openSqliteStorage } from '../storage.ts'
import { migrate } from './migrate.ts'
import { MAIN_MIGRATIONS, RECEIPT_MIGRATIONS } from './migrations/index.ts'

test('grants and tokens from before packages work with REST and MCP', async () => {
  const { directory, main } = oldFiles(2, 1)
  const hash = createHash('sha256').update('t').digest()
  main.prepare('insert into access_grant values (?, ?, ?, ?, ?, null, 4)').run('o', 'grt_1', 'cli_a', '{"x":1}', 3)
  main.prepare('insert into token values (?, ?, ?, ?, ?, ?, null, null)').run(hash, 'o', 'client', 'cli_a', 'grt_1', 5)
  const found = await opened(directory).tokens.find(hash)
  expect(found?.token).toMatchObject({
    kind: 'client',
    grantId: 'grt_1',
    audience: ['mcp', 'v1'],
    packageId: undefined,
  })
  expect(found?.grant).toMatchObject({ grant: { x: 1 }, createdAt: 3, consumedAt: 4, pausedAt: undefined })
})

test('deletions from before the table "tombstone" are still reported', async () => {
  const { directory, main } = oldFiles(11, 5)
  const stream = declaration.streams[0]!
  const layout = layoutOf(declaration, stream, columnNames)
  main.exec(createTable('r1', layout.fields))
  main
    .prepare('insert into source values (?, ?, ?, 1, 1, 1)')
    .run(SUBJECT, declaration.connector_key, JSON.stringify(declaration))
  main
    .prepare('insert into stream values (1, ?, ?, ?, ?, 0, 2)')
    .run(SUBJECT, declaration.connector_key, stream.name, JSON.stringify(layout))
  main.prepare('insert into connection values (?, ?, ?, null, 1, 1)').run(SUBJECT, 'home', declaration.connector_key)
  main.prepare('insert into feed values (1, ?, ?, 1, 2, 0, null, null, 0)').run(SUBJECT, 'home')
  main.exec("insert into gone values (1, 1, 1, 'e1', null, 2000, 2)")
  const { records } = opened(directory)
  const { changes } = await records.changes(scopeFor(['home']), {
    since: [],
    horizon: [{ feed: 1, version: 2 }],
    limit: 10,
    maxBytes: 1e6,
  })
  expect(changes).toMatchObject([{ tombstone: { key: 'e1', deletedAt: 2000 } }])
})

test.each([
  ['old names', { wishes: { 0: { zone: 'Europe/Berlin' } }, isElsewhere: true }],
  ['new names', { overrides: { 0: { zone: 'Europe/Berlin' } }, isClientSide: true }],
  ['both', { wishes: {}, isElsewhere: false, overrides: { 0: { zone: 'Europe/Berlin' } }, isClientSide: true }],
])('imports stored with %s keep their overrides', async (_names, members) => {
  const { directory, main } = oldFiles(11, 5)
  const sql =
    "insert into import (import_id, subject_id, state, created_at, updated_at, body) values ('i', ?, ?, 1, 1, ?)"
  main.prepare(sql).run(SUBJECT, 'finished', JSON.stringify({ files: [], ...members, sources: ['bank'] }))
  const found = await opened(directory).imports.find(SUBJECT, 'i')
  expect(found?.body).toEqual({
    files: [],
    overrides: { 0: { zone: 'Europe/Berlin' } },
    isClientSide: true,
    sources: ['bank'],
  })
})

test('receipts from before the table "text_id" are read and verified', async () => {
  const { directory, receipts } = oldFiles(11, 5)
  const receipt = {
    at: 5,
    subjectId: SUBJECT,
    clientId: undefined,
    grantId: undefined,
    surface: 'rest',
    operation: 'records',
    connectorKey: undefined,
    stream: undefined,
    connections: [],
    fields: [],
    records: [],
    bytes: 7,
    outcome: 'ok',
    requestId: 'req_1',
  }
  for (const text of ['rest', 'records', '[]', 'ok']) receipts.prepare('insert into word (text) values (?)').run(text)
  receipts
    .prepare(
      `insert into receipt (sequence, subject_id, at, surface, operation, connections, fields, records, bytes, outcome,
        request_id, hash) values (1, ?, 5, 1, 2, 3, 3, x'', 7, 4, 'req_1', ?)`,
    )
    .run(SUBJECT, receiptHash(Buffer.alloc(32), receipt))
  // `pdpp doctor` reads the file before any start has migrated it.
  expect(await inspectChain(directory)).toEqual({ checked: 1, brokenAt: undefined })
  const storage = opened(directory)
  expect((await storage.receipts.list(SUBJECT, { limit: 10 })).receipts).toMatchObject([receipt])
  expect(await storage.receipts.verify(SUBJECT)).toMatchObject({ checked: 1, brokenAt: undefined })
})

test('a word index with a row for each term is built anew after the start', async () => {
  const { directory, main } = oldFiles(14, 5)
  const stream = declaration.streams[0]!
  const layout = layoutOf(declaration, stream, columnNames)
  main.exec(createTable('r1', layout.fields))
  const key = declaration.connector_key
  main.prepare('insert into source values (?, ?, ?, 1, 1, 1)').run(SUBJECT, key, JSON.stringify(declaration))
  main.prepare('insert into stream values (1, ?, ?, ?, ?, 0, 2)').run(SUBJECT, key, stream.name, JSON.stringify(layout))
  main.prepare('insert into connection values (?, ?, ?, null, 1, 1)').run(SUBJECT, 'home', key)
  main.prepare('insert into feed values (1, ?, ?, 1, 1, 1, null, null, 0)').run(SUBJECT, 'home')
  main.exec(`insert into r1 (id, feed, key, emitted_at, data) values (1, 1, 'a', 5, '{"id":"a","title":"gull"}');
    insert into word_owner (subject_id, epoch, next_age) values ('${SUBJECT}', 7, 2);
    insert into word_segment (owner, age, state, documents, columns, words) values (1, 1, 1, 1, x'00', x'00');
    insert into word_segment_edition values (1, 1);
    insert into word_posting values (1, 'gull', 1, 1, 1, x'08', x'00')`)
  const spec = JSON.stringify({ fields: ['title'], times: [null, null], group: null })
  main.prepare('insert into word_edition (owner, feed, spec) values (1, 1, ?)').run(spec)
  const storage = opened(directory)
  const search = () =>
    storage.search.search([{ scope: scopeFor(['home']), fields: ['title'], conditions: [] }], {
      text: 'gull',
      limit: 5,
    })
  expect(await search()).toMatchObject({ total: 0, building: 1 })
  await storage.writer.resume()
  expect(await search()).toMatchObject({ total: 1, building: 0 })
})

/** Both files as an older version wrote them, after this many migrations each. */
function oldFiles(mainVersion: number, receiptsVersion: number) {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-migrate-'))
  const open = (name: string, migrations: readonly string[]) => {
    const file = join(directory, name)
    const db = new Database(file)
    migrate(db, migrations, file)
    return db
  }
  const main = open('pdpp.db', MAIN_MIGRATIONS.slice(0, mainVersion))
  const receipts = open('receipts.db', RECEIPT_MIGRATIONS.slice(0, receiptsVersion))
  onTestFinished(() => {
    for (const db of [main, receipts]) db.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return { directory, main, receipts }
}

function opened(directory: string) {
  const storage = openSqliteStorage(directory)
  onTestFinished(() => storage.close())
  return storage
}
