import { expect, onTestFinished, test } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import { Database } from './database.ts'

const postgresTest = test.skipIf(whyNoPostgres() !== undefined)

async function openDatabase(): Promise<Database> {
  const { url, release } = await testDatabase()
  const database = new Database({ url })
  onTestFinished(async () => {
    await database.close()
    release()
  })
  return database
}

/** Values, and the texts in which PostgreSQL shows what it got. */
const LISTS: readonly [type: string, values: readonly unknown[], shown: readonly (string | null)[]][] = [
  [
    'bigint',
    [0, -0, 1, -1, 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, 2n ** 63n - 1n, -(2n ** 63n), null],
    [
      '0',
      '0',
      '1',
      '-1',
      '4294967296',
      '-4294967297',
      '9007199254740991',
      `${2n ** 63n - 1n}`,
      `${-(2n ** 63n)}`,
      null,
    ],
  ],
  ['smallint', [0, -1, 32_767, -32_767, undefined], ['0', '-1', '32767', '-32767', null]],
  [
    'text',
    ['', 'null', '{"a\\b",}', 'è 🚣', '\ud83d', 'a\0b\u0001', null],
    ['', 'null', '{"a\\b",}', 'è 🚣', '\ufffd', 'a\0b\u0001', null],
  ],
  ['bytea', [new Uint8Array(0), Uint8Array.of(0, 255, 92), null], ['\\x', '\\x00ff5c', null]],
]

postgresTest.each(LISTS)('a list of %s arrives as it was', async (type, values, shown) => {
  const database = await openDatabase()
  const sql = `select x::text "text" from unnest(?::${type}[]) with ordinality y(x, at) order by at`
  expect(await database.column(sql, values)).toEqual(shown)
  const counted = `select coalesce(array_length(@list::${type}[], 1), 0) "count"`
  expect(await database.column(counted, { list: [] })).toEqual([0])
})

postgresTest.each([
  ['bigint', [1, 1.5]],
  ['bigint', [2n ** 63n]],
  ['smallint', [40_000]],
  ['bigint', ['two']],
])('PostgreSQL refuses a list of %s with other values: %s', async (type, values) => {
  const database = await openDatabase()
  const error = await database.column(`select unnest(?::${type}[])`, values).catch((failure: unknown) => failure)
  expect((error as { code: string }).code).toMatch(/^22/)
})
