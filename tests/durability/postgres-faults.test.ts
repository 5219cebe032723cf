// Tests a server whose PostgreSQL server is stopped, full or damaged.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresStorage } from '../../packages/server/src/storage/postgres/storage.ts'
import { whyNoPgBouncer } from '../../scripts/pgbouncer.ts'
import { findPostgres, whyNoPostgres, whyNoSmallDisk } from '../../scripts/postgres.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { mailServer, messages } from '../fixtures/server.ts'
import { OwnPostgres } from './own-postgres.ts'

/** A PostgreSQL server that the environment names cannot be stopped, so these tests need its programs. */
const reason = whyNoPostgres() ?? (findPostgres() ? undefined : 'needs the programs of PostgreSQL on this machine')
const postgres = new OwnPostgres()

/** The last words of `pdpp serve` before it gives up. */
async function refusal(env: Record<string, string>): Promise<string> {
  const { code, stderr } = await runPdpp(['serve', '--port', '0'], { dataDir: temporaryDirectory(), env })
  expect(code).not.toBe(0)
  expect(stderr).not.toMatch(/^ +at |node_modules|\.ts:/m)
  return stderr
}

describe.skipIf(reason !== undefined)('PostgreSQL that fails', () => {
  beforeAll(() => postgres.start(), 120_000)
  afterAll(() => postgres.remove())

  test('an unusable database is refused, with what to do', async () => {
    const absent = await refusal({ PDPP_DATABASE_URL: 'postgresql://pdpp@127.0.0.1:1/pdpp' })
    expect(absent).toContain('Nothing answers at the address of PDPP_DATABASE_URL (ECONNREFUSED). Start the database')
    const url = await postgres.create('damaged')
    await postgres.run('postgres', `create role guest login password 'right'`)
    const guest = url.replace('//pdpp@', '//guest@')
    expect(await refusal({ PDPP_DATABASE_URL: guest })).toContain('may not create tables in this database. Run `grant')
    // A server that refuses to start for another reason ends its connections, and so the process.
    const short = { PDPP_DATABASE_URL: url, PDPP_OWNER_PASSWORD: 'short' }
    expect(await refusal(short)).toContain('PDPP_OWNER_PASSWORD cannot be used')
    const ends: (() => Promise<void>)[] = []
    const server = await mailServer({ databaseUrl: url }, {}, { atEnd: (end) => void ends.push(end) })
    expect((await server.owner('GET', '/v1/owner/connections')).status).toBe(200)
    await ends[0]!()
    await postgres.run('damaged', 'drop table word_part, setting')
    expect(await refusal({ PDPP_DATABASE_URL: url })).toMatch(
      /is damaged: it lacks the tables setting, word_part\. Restore it from a dump/,
    )
  })

  test('a wrong user, password or database is said, but no password', async () => {
    const url = await postgres.create('locked')
    await postgres.run('postgres', `create role keeper login password 'right'`, 'create role stranger login')
    await postgres.run('postgres', 'revoke connect on database locked from public')
    await postgres.requirePassword('keeper')
    await postgres.requirePassword('nobody')
    const as = (user: string, address = url) => address.replace('//pdpp@', `//${user}@`)
    for (const [wrong, sentence] of [
      [
        as('keeper:wr0ng-secret'),
        /refuses the user or the password of PDPP_DATABASE_URL: password authentication failed/,
      ],
      [
        as('nobody:wr0ng-secret'),
        /refuses the user or the password of PDPP_DATABASE_URL: password authentication failed/,
      ],
      [as('missing'), /refuses the user or the password of PDPP_DATABASE_URL: role "missing" does not exist/],
      [as('keeper'), /asks for a password, and PDPP_DATABASE_URL has none/],
      [as('stranger'), /may not use this database: permission denied for database "locked"/],
      [
        as('keeper:right', postgres.url('absent')),
        /There is no such database: database "absent" does not exist\. Create it/,
      ],
      ['postgresql://keeper:wr0ng-secret@[bad/locked', /PDPP_DATABASE_URL cannot be opened: Invalid URL/],
    ] as const) {
      const said = await openPostgresStorage({ url: wrong }).catch((error: Error) => error.message)
      expect(said).toMatch(sentence)
      expect(said).not.toMatch(/wr0ng|right/)
    }
    const said = await refusal({ PDPP_DATABASE_URL: as('keeper:wr0ng-secret') })
    expect(said).toContain('refuses the user or the password of PDPP_DATABASE_URL')
    expect(said).not.toContain('wr0ng')
  })

  test('a read whose connection is cut is answered by another one', async () => {
    const url = await postgres.create('cut')
    const test = await mailServer({ databaseUrl: url })
    await test.ingest('messages', 'home', messages(3))
    const { get } = await test.grant({ connections: ['home'] })
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    for (const path of ['/v1/streams/messages/records', '/v1/search?q=subject']) {
      await holder.query('begin; lock table record in access exclusive mode')
      const reading = get(path)
      const cut = `select pg_terminate_backend(pid) cut from pg_stat_activity where datname = 'cut'
        and wait_event_type = 'Lock' and query ilike '%record%'`
      await expect.poll(async () => (await postgres.run('postgres', cut))[0]!.rows).toHaveLength(1)
      await holder.query('rollback')
      const { status, body } = await reading
      expect([path, status, body.data?.length]).toEqual([path, 200, 3])
    }
    await holder.end()
  })

  test('a server that is too old is refused', async () => {
    const url = await postgres.create('old')
    // No server is that old here, so a function in the database gives the version number of PostgreSQL 14.
    await postgres.run(
      'old',
      'create schema elder',
      `create function elder.current_setting(name text) returns text language sql as
        $$ select case name when 'server_version_num' then '140019' else pg_catalog.current_setting(name) end $$`,
      'alter database old set search_path = elder, pg_catalog, public',
    )
    expect(await refusal({ PDPP_DATABASE_URL: url })).toContain(
      'The database server is PostgreSQL 14; pdpp needs 15 or newer. Look at PDPP_DATABASE_URL.',
    )
  })

  test('a table that vanishes is named damage, and the server lives', async () => {
    const test = await mailServer({ databaseUrl: await postgres.create('vanishing') })
    await test.ingest('messages', 'home', messages(3))
    const { get } = await test.grant({ connections: ['home'] })
    await postgres.run('vanishing', 'alter table record rename to gone')
    const { status, body, text } = await get('/v1/streams/messages/records')
    expect([status, body.error.code]).toEqual([503, 'storage_damaged'])
    expect(text).not.toMatch(/relation|42P01|select/)
    await postgres.run('vanishing', 'alter table gone rename to record')
    expect((await get('/v1/streams/messages/records')).status).toBe(200)
  })

  test('a read-only database refuses reads and writes for the time', async () => {
    const url = await postgres.create('frozen')
    const test = await mailServer({ databaseUrl: url })
    await test.ingest('messages', 'home', messages(3))
    const { get } = await test.grant({ connections: ['home'] })
    await postgres.run('frozen', 'alter database frozen set default_transaction_read_only = on', CUT)
    for (const answer of [
      await get('/v1/streams/messages/records'),
      await test.owner('POST', '/v1/owner/connections', { connector_key: 'mail', connection_id: 'third' }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([503, 'storage_unavailable'])
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    expect(await refusal({ PDPP_DATABASE_URL: url })).toContain('The database is read-only for this user')
    await postgres.run('postgres', 'alter database frozen reset all')
    await postgres.run('frozen', CUT)
    expect((await get('/v1/streams/messages/records')).body.data).toHaveLength(3)
  })

  test('a restart under load loses nothing that was acknowledged', async () => {
    const url = await postgres.create('restarted')
    const dataDir = temporaryDirectory()
    const server = await startServerProcess({ dataDir, env: { PDPP_DATABASE_URL: url } })
    const { stdout } = await runPdpp(['owner', 'token'], { dataDir, env: { PDPP_DATABASE_URL: url } })
    const call = async (method: string, path: string, body?: unknown) => {
      const raw = typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined)
      const headers = { authorization: `Bearer ${stdout.trim()}` }
      const response = await fetch(server.url + path, { method, headers, ...(raw === undefined ? {} : { body: raw }) })
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() }
    }
    const { mailDeclaration } = await import('../fixtures/server.ts')
    await call('POST', '/connectors', mailDeclaration)
    await call('POST', '/v1/owner/connections', { connector_key: 'mail', connection_id: 'home' })
    const kept: string[] = []
    const refused: { status: number; retryAfter: string | null; body: any }[] = []
    let isOver = false
    let next = 0
    const load = async () => {
      while (!isOver) {
        const [message] = messages(1, next++)
        const answer = await call('POST', '/v1/ingest/messages?connection_id=home', JSON.stringify(message))
        if (answer.status === 200) kept.push(message!.key)
        else refused.push(answer)
        const read = await call('GET', '/v1/streams/messages/records?limit=5')
        if (read.status !== 200) refused.push(read)
      }
    }
    const loads = [load(), load(), load()]
    await expect.poll(() => kept.length, { timeout: 30_000 }).toBeGreaterThan(20)
    await postgres.stop()
    await expect.poll(() => refused.length, { timeout: 30_000 }).toBeGreaterThan(5)
    const before = kept.length
    await postgres.start()
    await expect.poll(() => kept.length, { timeout: 30_000 }).toBeGreaterThan(before + 5)
    isOver = true
    await Promise.all(loads)
    expect(before).toBeGreaterThan(0)
    const kinds = new Set(refused.map(({ status, retryAfter, body }) => `${status} ${retryAfter} ${body.error.code}`))
    const known = ['503 5 ingest_batch_storage_error', '503 5 storage_unavailable']
    expect([...kinds].filter((kind) => !known.includes(kind))).toEqual([])
    const { rows } = (await postgres.run('restarted', 'select key from record'))[0]!
    const stored = new Set(rows.map(({ key }) => key))
    expect(kept.filter((key) => !stored.has(key))).toEqual([])
    expect((await server.stop()).code).toBe(0)
  }, 120_000)

  test('a second server is refused, and takes over from one that was killed', async () => {
    const env = { PDPP_DATABASE_URL: await postgres.create('shared') }
    const first = await startServerProcess({ dataDir: temporaryDirectory(), env })
    expect(await refusal(env)).toMatch(
      /^pdpp: Another pdpp server \(\S+\) is using this database\. Stop it first, or name/m,
    )
    await first.kill()
    const second = await startServerProcess({ dataDir: temporaryDirectory(), env })
    expect((await second.stop()).code).toBe(0)
  })

  describe.skipIf(whyNoPgBouncer() !== undefined)('behind PgBouncer in transaction mode', () => {
    test('prepared statements are refused with the setting to change', async () => {
      await postgres.create('pooled')
      const url = (await postgres.pooler()).url('pooled')
      expect(await refusal({ PDPP_DATABASE_URL: url })).toContain('Set PDPP_DATABASE_PREPARE=off.')
      const test = await mailServer({ databaseUrl: url, preparesStatements: false })
      await test.ingest('messages', 'home', messages(300))
      const { get } = await test.grant({ connections: ['home'] })
      // A few at a time, because a client that sends many searches at once has to wait.
      for (let round = 0; round < 10; round++) {
        const paths = ['/v1/search?q=subject', '/v1/streams/messages/records?limit=100', '/v1/streams']
        const answers = await Promise.all([...paths, ...paths].map((path) => get(path)))
        expect(answers.map(({ status, body }) => body.error?.code ?? status)).toEqual(Array(6).fill(200))
      }
      expect((await test.owner('GET', '/v1/owner/receipts?limit=100')).body.data).toHaveLength(60)
    })
  })
})

describe.skipIf(reason !== undefined)('PostgreSQL on a full disk', () => {
  const full = new OwnPostgres()
  afterAll(() => full.remove())

  test('nothing is lost, and there is room again after something was deleted', async ({ skip }) => {
    const noDisk = whyNoSmallDisk(full.disk.folder)
    if (noDisk !== undefined) skip(noDisk)
    await full.start({ hasSmallDisk: true })
    await full.run('postgres', `create tablespace small location '${full.disk.folder}'`)
    const test = await mailServer({ databaseUrl: await full.create('filled', 'tablespace small') })
    await test.ingest('messages', 'home', messages(20))
    const ballast = 'create table ballast as select n, repeat(md5(n::text), 30) text from generate_series(1, 20000) n'
    await expect(full.run('filled', ballast)).resolves.toBeDefined()
    const body = Array.from({ length: 200 }, (_, n) => ({ ...messages(1, n + 100)[0]!, data: large(n + 100) }))
    let refused: Awaited<ReturnType<typeof test.ingest>> | undefined
    for (let round = 0; round < 40 && !refused; round++) {
      const answer = await test.ingest(
        'messages',
        'home',
        body.map((record, n) => renamed(record, round * 200 + n)),
      )
      if (answer.status !== 200) refused = answer
    }
    expect([refused?.status, refused?.body.error.code]).toEqual([503, 'ingest_batch_storage_error'])
    expect(refused!.body.error.message).toMatch(
      /^Only the first \d+ records could be saved, because the disk .* is full/,
    )
    const { get } = await test.grant({ connections: ['home'] }).catch(() => ({ get: undefined }))
    await full.run('filled', 'drop table ballast')
    expect((await test.ingest('messages', 'home', messages(5, 9000))).status).toBe(200)
    const read = get ?? (await test.grant({ connections: ['home'] })).get
    expect((await read('/v1/streams/messages/records/m3')).status).toBe(200)
  }, 120_000)
})

/** Ends all other connections, because open connections keep their old settings. */
const CUT =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

const large = (n: number) => ({
  id: `m${n}`,
  subject: `Subject ${n}`,
  body: noise(n),
  sender: 's',
  sent_at: '2026-01-01T00:00:00Z',
  size: n,
})
const renamed = <T extends { data: { id: string } }>(record: T, n: number) => ({
  ...record,
  key: `big${n}`,
  data: { ...record.data, id: `big${n}` },
})

/** Bytes that do not compress well. */
function noise(seed: number): string {
  let text = ''
  for (let n = 0; text.length < 8000; n++) text += Math.imul(seed * 7919 + n, 2_654_435_761).toString(36)
  return text
}
