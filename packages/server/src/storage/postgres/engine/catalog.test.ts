import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import { openPostgresStorage } from '../storage.ts'
import { TABLES } from './migrations/index.ts'

/** Tables of the installation. They contain no data of an owner. */
const OF_THE_INSTALLATION = ['client', 'counter', 'owner', 'pdpp_format', 'pdpp_server', 'secret']

/**
 * Rows that are found by a secret before their owner is known. The secret comes first in their keys, so that a
 * distributed engine can spread the rows by it.
 */
const FOUND_BY_A_SECRET: Readonly<Record<string, string>> = {
  artifact: 'kind',
  authorization: 'authorization_id',
  refresh_token: 'hash',
  session: 'hash',
  sign_in_link: 'hash',
  token: 'hash',
}

/** The first column of every key and of every other index. */
const KEYS = `select c.relname "table", a.attname "column", i.indisunique "isKey", x.relname "index"
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
  where c.relnamespace = current_schema()::regnamespace`
const ABSENT = {
  sequences: `select relname from pg_class where relkind = 'S'`,
  triggers: 'select tgname from pg_trigger where not tgisinternal',
  extensions: `select extname from pg_extension where extname <> 'plpgsql'`,
  functions: 'select proname from pg_proc where pronamespace = current_schema()::regnamespace',
  'indexes that are no btree': `select c.relname from pg_class c join pg_am m on m.oid = c.relam
    where c.relkind = 'i' and m.amname <> 'btree'`,
  'texts in keys that compare by language': `select attrelid::regclass::text || '.' || attname from pg_attribute
    join pg_index i on i.indrelid = attrelid and attnum = any(i.indkey)
    join pg_class c on c.oid = attrelid
    where c.relnamespace = current_schema()::regnamespace and atttypid = 'text'::regtype and attcollation <> '"C"'::regcollation
      and c.relname not in ('counter', 'secret', 'pdpp_server')`,
}

test.skipIf(whyNoPostgres() !== undefined)('the tables need nothing that a distributed engine lacks', async () => {
  const { url, release } = await testDatabase()
  await (await openPostgresStorage({ url, lease: { place: 'north 1', onLost: () => {} } })).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [what, sql] of Object.entries(ABSENT)) expect([what, (await client.query(sql)).rows]).toEqual([what, []])
  const { rows } = await client.query<{ table: string; column: string; isKey: boolean; index: string }>(KEYS)
  const found = await client.query(`select relname from pg_class where relkind = 'r'
    and relnamespace = current_schema()::regnamespace`)
  await client.end()
  const tables: string[] = found.rows.map(({ relname }) => relname)
  expect(tables.toSorted()).toEqual([...TABLES, 'pdpp_format', 'pdpp_server'].toSorted())
  for (const table of tables) {
    if (OF_THE_INSTALLATION.includes(table)) continue
    const indexes = rows.filter((row) => row.table === table)
    const first = FOUND_BY_A_SECRET[table]
    if (first === undefined) {
      for (const { index, column } of indexes) expect([index, column]).toEqual([index, 'subject'])
      expect(indexes.some(({ isKey }) => isKey) || table === 'tombstone', table).toBe(true)
    } else for (const { index, column, isKey } of indexes) if (isKey) expect([index, column]).toEqual([index, first])
  }
  release()
})

test('no statement waits for a message or takes a lock of the session', () => {
  const folder = join(import.meta.dirname, '..')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!test)\.ts$/.test(name),
  )
  expect(sources.length).toBeGreaterThan(50)
  const found = sources.filter((name) =>
    /pg_advisory|pg_try_advisory|\bnotify\s|\blisten\s|nextval|create (trigger|extension|sequence)|serial\b/i.test(
      readFileSync(join(folder, name), 'utf8').replaceAll(/^\s*(\/\/|\*|\/\*\*|--).*$/gm, ''),
    ),
  )
  expect(found).toEqual([])
})
