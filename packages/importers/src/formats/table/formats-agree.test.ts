// Tests that the same table gives the same records in every format.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ImportInput } from '../../importer.ts'
import { memoryInput, planOf, readAllItems } from '../../reading/memory-input.fixture.ts'
import { tabular } from './importer.ts'

interface Row {
  id: string
  note: string | null
  count: number | null
  share: number | null
  at: string | null
}

const text = fc
  .string({
    unit: fc.constantFrom('a', 'B', 'ö', ' ', ',', '"', '\n', ';', '😀', "'", '=', '.'),
    minLength: 1,
    maxLength: 12,
  })
  .map((value) => `n${value}`)
const row = fc.record({
  note: fc.option(text),
  count: fc.option(fc.integer({ min: -1_000_000, max: 1_000_000 })),
  share: fc.option(fc.integer({ min: -9999, max: 9999 }).map((value) => value + 0.25)),
  at: fc.option(
    fc
      .integer({ min: 0, max: 2_000_000_000 })
      .map((seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')),
  ),
})
const table = fc
  .array(row, { minLength: 2, maxLength: 12 })
  .map((rows): Row[] => rows.map((each, at) => ({ id: `r${at}`, ...each })))
  // If a column has no value at all, a format that only has texts cannot show its type.
  .filter((rows) =>
    (['note', 'count', 'share', 'at'] as const).every((name) => rows.some((each) => each[name] !== null)),
  )

const columns = ['id', 'note', 'count', 'share', 'at'] as const

const csvOf = (rows: readonly Row[], delimiter: string) =>
  [columns.join(delimiter), ...rows.map((each) => columns.map((name) => cell(each[name])).join(delimiter))].join('\n')
const cell = (value: unknown) => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`)

function sqliteInput(rows: readonly Row[], folder: string): ImportInput {
  const path = join(folder, 'table.sqlite')
  rmSync(path, { force: true })
  const database = new Database(path)
  database.pragma('synchronous = off')
  database.exec('create table "table" (id text primary key, note text, count integer, share real, at text)')
  const insert = database.prepare('insert into "table" values (@id, @note, @count, @share, @at)')
  for (const each of rows) insert.run(each)
  database.close()
  return { ...memoryInput('table.sqlite', Buffer.from('SQLite format 3\u0000')), databasePath: async () => path }
}

async function recordsOf(input: ImportInput) {
  const { records, problems } = await readAllItems(tabular, await planOf(tabular, input))
  expect(problems).toEqual([])
  return records.map(({ key, data }) => ({ key, data })).toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

describe('the same table', () => {
  it('gives the same records from CSV, TSV, JSON, JSON Lines and SQLite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pdpp-formats-'))
    try {
      await fc.assert(
        fc.asyncProperty(table, fc.integer({ min: 1, max: 64 }), async (rows, piece) => {
          const expected = rows.map((data) => ({ key: data.id, data })).toSorted((a, b) => (a.key < b.key ? -1 : 1))
          const inputs = [
            memoryInput('table.csv', csvOf(rows, ','), piece),
            memoryInput('table.tsv', csvOf(rows, '\t'), piece),
            memoryInput('table.jsonl', rows.map((each) => JSON.stringify(each)).join('\n'), piece),
            memoryInput('table.json', JSON.stringify(rows, null, 1), piece),
            sqliteInput(rows, folder),
          ]
          for (const input of inputs) expect([input.name, await recordsOf(input)]).toEqual([input.name, expected])
        }),
        { numRuns: 40 },
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 30_000)

  it('keeps keys, bytes and 64-bit integers of a database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pdpp-formats-'))
    const path = join(folder, 'x.db')
    const database = new Database(path)
    database.exec(`create table visits (a integer, b integer, big integer, icon blob, primary key (b, a));
      insert into visits values (1, 2, 9223372036854775807, x'00ff'); create table empty (id integer);
      create table "odd ""name""" (id integer primary key, t text); insert into "odd ""name""" values (1, 'x')`)
    database.close()
    const input = { ...memoryInput('x.db', Buffer.from('SQLite format 3\u0000')), databasePath: async () => path }
    const plan = await planOf(tabular, input)
    const { records } = await readAllItems(tabular, plan)
    rmSync(folder, { recursive: true })
    expect(plan.declaration.streams.map(({ name, primary_key: key }) => [name, key])).toEqual([
      ['odd-name', ['id']],
      ['visits', ['b', 'a']],
    ])
    expect(JSON.stringify(records[1])).toContain('"big":9223372036854775807,"icon":"AP8="')
    expect(records[1]!.key).toBe('["2","1"]')
  })
})
