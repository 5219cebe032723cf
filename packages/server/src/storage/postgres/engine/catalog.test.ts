import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import { openPostgresStorage } from '../storage.ts'

/** Keys that do not begin with the owner, and why. */
const OTHER_KEYS: Readonly<Record<string, string>> = {
  artifact: 'found by a code before anybody knows whose it is',
  authorization: 'found by its id before anybody knows whose it is',
  client: 'belongs to the installation',
  counter: 'belongs to the installation',
  event_bookmark: 'leads with its subscription',
  event_delivery: 'leads with its subscription',
  event_subscription: 'found by its id',
  owner: 'is the list of owners',
  pdpp_format: 'belongs to the installation',
  pdpp_server: 'belongs to the installation',
  refresh_token: 'found by its hash before anybody knows whose it is',
  secret: 'belongs to the installation',
  session: 'found by its hash before anybody knows whose it is',
  sign_in_link: 'found by its hash before anybody knows whose it is',
  subscription_event: 'numbered for all subscriptions',
  token: 'found by its hash before anybody knows whose it is',
}

const KEYS = `select c.relname "table", a.attname "column" from pg_index i join pg_class c on c.oid = i.indrelid
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
  where c.relnamespace = current_schema()::regnamespace and i.indisunique`
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
  const { rows } = await client.query<{ table: string; column: string }>(KEYS)
  await client.end()
  expect(rows.length).toBeGreaterThan(40)
  const others = rows.filter(({ column }) => column !== 'subject').map(({ table }) => table)
  expect([...new Set(others)].toSorted()).toEqual(Object.keys(OTHER_KEYS))
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
