// Tests a start, reads and `pdpp doctor` with files that were damaged, emptied, lost or exchanged.
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWNER, startServer } from '@pdpp/server'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Browser } from '../fixtures/browser.ts'
import { declaration, key, stream, text } from '../fixtures/declaration.ts'
import { runPdpp, startServerProcess as startProcess } from '../fixtures/processes.ts'
import { serverConfig } from '../fixtures/server-config.ts'

const HALF_BLOCK = 65_536
const places: string[] = []
let whole: Store

interface Store {
  readonly directory: string
  readonly owner: string
  readonly client: string
}

const log = declaration('log', {
  lines: stream({ id: key(), text: text() }, { query: { aggregations: { count_distinct: ['text'] } } }),
})

/** A store with records over many pages, some hundred receipts and a few blobs, closed. */
async function makeStore(): Promise<Store> {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-damage-'))
  places.push(directory)
  const server = await startServer(serverConfig(directory))
  const owner = (await server.context.tokens.issueOwner(OWNER)).accessToken
  const call = async (path: string, body: unknown, token = owner) => {
    const response = await fetch(server.url + path, {
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    expect(response.status, path).toBeLessThan(300)
    return (await response.json()) as Record<string, string>
  }
  await call('/connectors', log)
  await call('/v1/owner/connections', { connector_key: 'log', connection_id: 'log' })
  const lines = Array.from({ length: 11_000 }, (_, n) =>
    JSON.stringify({ key: `k${n}`, data: { id: `k${n}`, text: `word${n} ${'x'.repeat(300)}` } }),
  )
  await call('/v1/ingest/lines?connection_id=log', lines.join('\n'))
  for (const n of [1, 2, 3]) await call(`/v1/blobs?connection_id=log&stream=lines&record_key=k${n}`, `bytes of ${n}`)
  const { access_token: client } = await call('/v1/owner/grants', { client_name: 'Reader', connections: ['log'] })
  for (let round = 0; round < 20; round++)
    await Promise.all(Array.from({ length: 40 }, () => call('/v1/streams/lines/records?limit=1', undefined, client)))
  await server.close()
  return { directory, owner, client: client! }
}

beforeAll(async () => {
  whole = await makeStore()
}, 180_000)
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true })
})

function copyOf({ directory }: Store): string {
  const copy = mkdtempSync(join(tmpdir(), 'pdpp-damage-'))
  places.push(copy)
  cpSync(directory, copy, { recursive: true })
  return copy
}

function overwrite(file: string, at: number): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(HALF_BLOCK, 0xa5), 0, HALF_BLOCK, at)
  closeSync(descriptor)
}

type Harm = (file: string) => void
const HARMS: Record<string, Harm> = {
  'the middle overwritten': (file) => overwrite(file, Math.floor(statSync(file).size / 2 / 4096) * 4096),
  'the end overwritten': (file) => overwrite(file, statSync(file).size - HALF_BLOCK),
  emptied: (file) => truncateSync(file, 0),
  gone: (file) => rmSync(file),
  'its header destroyed': (file) => {
    const descriptor = openSync(file, 'r+')
    writeSync(descriptor, Buffer.alloc(100, 0x5a), 0, 100, 0)
    closeSync(descriptor)
  },
  'cut in half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
}

async function diagnosed(dataDir: string) {
  const { code, stdout } = await runPdpp(['doctor', '--data-dir', dataDir, '--json'], { dataDir })
  const { first_broken: first, data } = JSON.parse(stdout) as {
    first_broken: string
    data: { name: string; says: string; fix?: string }[]
  }
  return { code, first, ...data.find(({ name }) => name === first)! }
}

/** The message with which the server refuses to start. Undefined if it starts. */
async function refusal(dataDir: string): Promise<string | undefined> {
  try {
    const server = await startServer(serverConfig(dataDir, { log: 'none' }))
    await server.close()
    return
  } catch (error) {
    expect((error as Error).name).toBe('StartupError')
    return (error as Error).message
  }
}

test('a whole store starts, and every check of its files is good', async () => {
  const dataDir = copyOf(whole)
  const stopped = await diagnosed(dataDir)
  expect([stopped.code, stopped.first]).toEqual([6, 'Server process'])
  await startProcess({ dataDir })
  const { stdout } = await runPdpp(['doctor', '--data-dir', dataDir], { dataDir })
  expect(stdout).toMatch(
    /✓ Files together[\s\S]*✓ Records[\s\S]*✓ Receipts .*none of 800 entries was altered[\s\S]*✓ Blobs +checked 3 of 3/,
  )
})

test.each<[string, string, RegExp | undefined, string]>([
  ['pdpp.db', 'the middle overwritten', undefined, 'Records'],
  ['pdpp.db', 'the end overwritten', undefined, 'Records'],
  [
    'pdpp.db',
    'emptied',
    /pdpp\.db is empty[\s\S]*pdpp owner restore <backup>[\s\S]*move the rest away/,
    'Files together',
  ],
  [
    'pdpp.db',
    'gone',
    /pdpp\.db is missing[\s\S]*pdpp owner restore <backup>[\s\S]*move the rest away/,
    'Files together',
  ],
  ['pdpp.db', 'its header destroyed', /pdpp\.db is damaged[\s\S]*pdpp owner restore <backup>/, 'Files together'],
  ['pdpp.db', 'cut in half', /pdpp\.db is damaged[\s\S]*pdpp owner restore <backup>/, 'Files together'],
  ['receipts.db', 'the middle overwritten', undefined, 'Receipts'],
  ['receipts.db', 'the end overwritten', /receipts\.db is damaged[\s\S]*--new-receipts/, 'Files together'],
  ['receipts.db', 'emptied', /receipts\.db is empty[\s\S]*--new-receipts/, 'Files together'],
  ['receipts.db', 'gone', /receipts\.db is missing[\s\S]*--new-receipts/, 'Files together'],
  ['receipts.db', 'its header destroyed', /receipts\.db is damaged[\s\S]*--new-receipts/, 'Files together'],
  ['receipts.db', 'cut in half', /receipts\.db is damaged[\s\S]*--new-receipts/, 'Files together'],
])(
  '%s, %s: doctor finds it, and a start that could harm more is refused',
  async (file, harm, refused, check) => {
    const dataDir = copyOf(whole)
    HARMS[harm]!(join(dataDir, file))
    const before = readdirSync(dataDir).filter((name) => !/^server\./.test(name))
    const found = await diagnosed(dataDir)
    expect([found.code, found.first]).toEqual([1, check])
    expect(found.says + found.fix).toContain(file)
    expect(found.fix).toContain('pdpp owner restore <backup>')
    const said = await refusal(dataDir)
    // A start may read a damaged page or not. If it does not, a later read or `pdpp doctor` finds the damage.
    if (refused !== undefined) expect(said).toMatch(refused)
    else if (said !== undefined) expect(said).toContain('pdpp doctor')
    if (refused !== undefined) {
      const left = readdirSync(dataDir).filter((name) => !/^server\.|-(wal|shm)$/.test(name))
      expect(left).toEqual(before.filter((name) => !/-(wal|shm)$/.test(name)))
      expect(
        readdirSync(join(dataDir, 'blobs'), { recursive: true }).filter((name) => String(name).length > 60),
      ).toHaveLength(3)
    }
  },
  60_000,
)

test('one receipt changed, and one taken from the end: doctor says so', async () => {
  const changed = copyOf(whole)
  const sql = (dataDir: string, text: string) => {
    const db = new Database(join(dataDir, 'receipts.db'))
    db.exec(text)
    db.close()
  }
  sql(changed, 'update receipt set bytes = bytes + 1 where sequence = 3')
  expect(await diagnosed(changed)).toMatchObject({
    code: 1,
    first: 'Receipts',
    says: expect.stringContaining('altered at entry 3'),
  })
  // The chain alone does not show that its end is missing. The other file knows the last receipt.
  const shortened = copyOf(whole)
  sql(shortened, 'delete from receipt where sequence > 790')
  expect(await diagnosed(shortened)).toMatchObject({ code: 1, first: 'Files together' })
  expect(await refusal(shortened)).toMatch(/lacks receipts that pdpp\.db knows of[\s\S]*--new-receipts/)
})

test('a missing blob, and one that was changed', async () => {
  const dataDir = copyOf(whole)
  const names = readdirSync(join(dataDir, 'blobs'), { recursive: true })
    .map(String)
    .filter((name) => name.length > 60)
  rmSync(join(dataDir, 'blobs', names[0]!))
  writeFileSync(join(dataDir, 'blobs', names[1]!), 'something')
  const found = await diagnosed(dataDir)
  expect([found.code, found.first]).toEqual([1, 'Blobs'])
  expect(found.says).toMatch(/checked 3 of 3/)
  expect(found.says).toContain(`${names[0]!.slice(3)} is missing`)
  expect(found.says).toContain(`${names[1]!.slice(3)} has changed`)
})

test('a half of another installation is refused', async () => {
  const other = await makeStore()
  const dataDir = copyOf(whole)
  for (const name of ['receipts.db', 'receipts.db-wal', 'receipts.db-shm']) rmSync(join(dataDir, name), { force: true })
  cpSync(join(other.directory, 'receipts.db'), join(dataDir, 'receipts.db'))
  expect(await refusal(dataDir)).toMatch(/different installations[\s\S]*--new-receipts/)
  expect(await diagnosed(dataDir)).toMatchObject({ first: 'Files together' })
  const server = await startProcess({ dataDir, args: ['--new-receipts'] })
  const read = await fetch(`${server.url}/v1/streams/lines/records?limit=1`, {
    headers: { authorization: `Bearer ${whole.client}` },
  })
  expect(read.status).toBe(200)
  await server.stop()
  const aside = readdirSync(dataDir).find((name) => name.startsWith('receipts.db.set-aside-'))!
  expect(statSync(join(dataDir, aside)).size).toBe(statSync(join(other.directory, 'receipts.db')).size)
  // The start has joined the two files.
  expect(await refusal(dataDir)).toBeUndefined()
  expect(await diagnosed(dataDir)).toMatchObject({ first: 'Server process' })
}, 120_000)

test('a store from before there were ids gets them at its first start', async () => {
  const dataDir = copyOf(whole)
  const main = new Database(join(dataDir, 'pdpp.db'))
  main.exec("delete from secret where name = 'installation'; delete from setting where name = 'receipts_reach'")
  main.close()
  const receipts = new Database(join(dataDir, 'receipts.db'))
  // Converts the receipts back to their third format, which had no id of the installation.
  receipts.exec(`alter table text_id rename to word; drop table installation; drop index receipt_tally; alter table receipt drop column continues;
    create index receipt_tally on receipt (subject_id, at, client, stream, outcome); pragma user_version = 3`)
  receipts.close()
  expect(await refusal(dataDir)).toBeUndefined()
  // Receipts with an id of another installation are refused.
  cpSync(join(whole.directory, 'receipts.db'), join(dataDir, 'receipts.db'))
  expect(await refusal(dataDir)).toMatch(/different installations/)

  const fresh = mkdtempSync(join(tmpdir(), 'pdpp-damage-'))
  places.push(fresh)
  writeFileSync(join(fresh, 'pdpp.db'), '')
  expect(await refusal(fresh)).toBeUndefined()
  expect(existsSync(join(fresh, 'receipts.db'))).toBe(true)
})

test('a damaged page is a typed 503 that names the doctor', async () => {
  const dataDir = copyOf(whole)
  const file = join(dataDir, 'pdpp.db')
  // Damages only pages of records, so that tokens, grants and the data of the first page stay readable.
  const db = new Database(file, { readonly: true })
  const table = db.prepare("select name from sqlite_schema where type = 'table' and name glob 'r[0-9]*'").pluck().get()
  const pages = db
    .prepare("select pageno from dbstat where name = ? and pagetype = 'leaf' order by pageno")
    .pluck()
    .all(table) as number[]
  db.close()
  const descriptor = openSync(file, 'r+')
  for (const page of pages.slice(2)) writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096)
  closeSync(descriptor)
  const server = await startServer(serverConfig(dataDir, { log: 'none' }))
  onTestFinished(() => server.close())
  const get = async (path: string, token: string, headers = {}) => {
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
    return { status: response.status, body: (await response.json()) as any }
  }
  for (const token of [whole.client, whole.owner]) {
    const { status, body } = await get('/v1/streams/lines/records?limit=100&order=asc', token)
    expect([status, body.error.code]).toEqual([503, 'storage_damaged'])
    expect(body.error.next_step).toContain('pdpp doctor')
    expect(JSON.stringify(body)).not.toMatch(/SQLITE|malformed|\.db/)
  }
  // A reader thread reports the same.
  const counted = await get('/v1/streams/lines/aggregate?metric=count_distinct&field=text', whole.client)
  expect([counted.status, counted.body.error.code]).toEqual([503, 'storage_damaged'])
  expect(server.context.damage.at).toBeDefined()
  const owner = new Browser(server)
  await owner.signIn()
  const first = await owner.get('/')
  expect(first.text).toContain('Some files are damaged')
  expect(first.text).toContain('<code>pdpp doctor</code>')
})

test('a damaged record leaves no broken answer, and doctor finds it', async () => {
  const dataDir = copyOf(whole)
  const db = new Database(join(dataDir, 'pdpp.db'))
  const table = db.prepare("select name from sqlite_schema where type = 'table' and name glob 'r[0-9]*'").pluck().get()
  db.exec(`update ${table} set data = replace(data, '"text":', '"text"x')`)
  db.close()
  expect(await diagnosed(dataDir)).toMatchObject({ code: 1, first: 'Records' })
  const server = await startServer(serverConfig(dataDir, { log: 'none' }))
  onTestFinished(() => server.close())
  for (const token of [whole.client, whole.owner])
    for (const path of ['records?limit=2', 'records?limit=2&fields=text', 'records?changes_since=beginning&limit=2']) {
      const response = await fetch(`${server.url}/v1/streams/lines/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const { error } = (await response.json()) as any
      expect([path, response.status, error?.code]).toEqual([path, 503, 'storage_damaged'])
    }
  expect(server.context.damage.at).toBeDefined()
})

test('a table that nobody can open any more is told by doctor as damage', async () => {
  const dataDir = copyOf(whole)
  const db = new Database(join(dataDir, 'pdpp.db'))
  db.unsafeMode()
  db.exec("create virtual table spoiled using fts5(text, tokenize = 'unicode61'); pragma writable_schema = on")
  db.exec("update sqlite_schema set sql = replace(sql, 'tokenize', 'tokeniae') where name = 'spoiled'")
  db.close()
  expect(await diagnosed(dataDir)).toMatchObject({
    code: 1,
    first: 'Records',
    says: expect.stringContaining('damaged'),
  })
})
