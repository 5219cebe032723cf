// Imports by the forms of the console, as a browser without scripts sends them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { OWNER, startServer } from '@pdpp/server'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { Browser, hiddenFields } from '../../../../tests/fixtures/browser.ts'
import { copyDemo } from '../../../../tests/fixtures/demo-data.ts'
import type { Answer } from '../../../../tests/fixtures/http.ts'
import { type TestServer, testServer } from '../../../../tests/fixtures/server.ts'
import { storedBlobs, storedTexts } from '../../../../tests/fixtures/stored-data.ts'
import { storedZip } from '../../../../tests/fixtures/stored-zip.ts'
import { storeConfig } from '../../../../tests/fixtures/test-store.ts'

const ORDERS = `Order ID,Order Date,Shipped,Title,Price
A-1,2025-03-14,2025-03-15,Garden hose,29.90
A-2,2025-03-15,2025-03-18,Tea Assam,4.50
A-3,2025-04-16,2025-04-20,Desk lamp,19.00
`
const CHANGED = `${ORDERS.replace('Tea Assam', 'Tea Darjeeling')}A-4,2025-05-01,2025-05-02,Rug,80\n`

async function place(...options: Parameters<typeof testServer>) {
  const test = await testServer(...options)
  const visitor = await new Browser(test.server).signIn()
  return { test, visitor, ...importing(test, visitor) }
}

function importing(test: TestServer, visitor: Browser) {
  const pathOf = ({ status, headers, text }: Answer): string => {
    if (status !== 303) throw new Error(`${status} ${text}`)
    return String(headers.get('location')).split(/[?#]/)[0]!
  }
  const act = (path: string, what: string, fields = {}) => visitor.submit(path, `${path}/${what}`, fields)
  const settled = async (path: string, state: string) => {
    await expect
      .poll(() => test.server.context.imports.require('owner_local', path.slice(8)), { timeout: 20_000 })
      .toMatchObject({ state })
    return (await visitor.get(path)).text
  }
  const upload = async (...files: [string, string | Uint8Array][]) => {
    const path = pathOf(await visitor.upload(files))
    // The server leads to the page after a moment, even if it is still looking at the files.
    await expect
      .poll(() => test.server.context.imports.require('owner_local', path.slice(8)), { timeout: 20_000 })
      .not.toMatchObject({ state: 'uploaded' })
    return path
  }
  const imported = async (...files: [string, string | Uint8Array][]) => {
    const path = await upload(...files)
    expect((await act(path, 'start')).status).toBe(303)
    await settled(path, 'finished')
    return path
  }
  const titles = async (stream = 'orders') => {
    const { body } = await test.owner('GET', `/v1/streams/${stream}/records?limit=100`)
    return body.data.map(({ data }: any) => data.Title ?? data.title).toSorted()
  }
  const uploads = () => readdirSync(join(test.server.context.config.dataDir, 'imports'))
  return { act, settled, upload, imported, titles, uploads }
}

/** The text of a page, without its tags. */
const words = (page: string) => page.replace(/<[^>]*>/g, '')

it('shows the plan first, then imports and removes the files', async () => {
  const { test, visitor, upload, act, settled, titles, uploads } = await place()
  const path = await upload(['orders.csv', ORDERS])
  const { text } = await visitor.get(path)
  for (const shown of [
    'Becomes a new source.',
    'csv',
    'Order ID',
    'Order Date',
    'Garden hose',
    '3 items',
    'Nothing has been saved yet.',
  ])
    expect(text, shown).toContain(shown)
  expect((await test.owner('GET', '/v1/connectors')).body.data).toEqual([])
  const [folder] = uploads()
  const file = join(test.server.context.config.dataDir, 'imports', folder!, '0')
  expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700])
  await act(path, 'start')
  const page = await settled(path, 'finished')
  expect(page).toContain('<h2>Imported</h2>')
  expect(page).toContain('/browse?connection=orders')
  expect(page).toContain('href="/agents/connect"')
  expect(await titles()).toEqual(['Desk lamp', 'Garden hose', 'Tea Assam'])
  expect(uploads()).toEqual([])
  expect((await visitor.get('/import')).text).toContain('3 new, 0 changed')
})

it('keeps the digits of numbers from the file to the answer', async () => {
  const { test, imported } = await place()
  await imported(['lists.json', '[{"id":"a","price":12.50,"parts":[{"share":0.10,"big":9223372036854775807}]}]'])
  const { text } = await test.owner('GET', '/v1/streams/lists/records?limit=1')
  expect(text).toContain('"price":12.50,"parts":[{"share":0.10,"big":9223372036854775807}]')
})

it('does once what a form asks twice', async () => {
  const { visitor, upload, settled } = await place()
  const path = await upload(['orders.csv', ORDERS], ['empty.csv', ''])
  const plan = (await visitor.get(path)).text
  const start = () => visitor.post(`${path}/start`, hiddenFields(plan, `${path}/start`))
  await start()
  const page = await settled(path, 'finished')
  expect(page).toContain('1 file will be skipped')
  expect(page).toContain('empty.csv')
  const undo = () => visitor.post(`${path}/undo`, hiddenFields(page, `${path}/undo`))
  const again = await start()
  expect([again.status, again.headers.get('location')]).toEqual([303, path])
  await undo()
  await settled(path, 'undone')
  expect((await undo()).headers.get('location')).toBe(path)
  expect((await start()).text).toContain('The uploaded files are gone.')
})

it('writes only changes when repeated, and undoes them', async () => {
  const { test, visitor, imported, titles, act, settled } = await place()
  const first = await imported(['orders.csv', ORDERS])
  const same = await imported(['orders.csv', ORDERS])
  expect((await visitor.get(same)).text).not.toContain('Undo this import')
  const newer = await imported(['orders-2.csv', CHANGED])
  expect((await visitor.get(newer)).text).toContain('Removes the 1 new item. Restores the 1 changed item.')
  const { body } = await test.owner('GET', '/v1/streams/orders/records?changes_since=beginning')
  await act(newer, 'undo')
  expect(await settled(newer, 'undone')).toContain(
    'Removed 1 item that it had added, and restored 1 item that it had changed.',
  )
  expect(await titles()).toEqual(['Desk lamp', 'Garden hose', 'Tea Assam'])
  const since = encodeURIComponent(body.next_changes_since)
  const changes = (await test.owner('GET', `/v1/streams/orders/records?changes_since=${since}`)).body.data
  expect(changes.map(({ id: key, deleted }: any) => [key, deleted ?? false]).toSorted()).toEqual([
    ['A-2', false],
    ['A-4', true],
  ])
  await act(first, 'undo')
  const undone = words(await settled(first, 'undone'))
  expect(undone).toContain('Also removed, because nothing else used them: the source orders and the account orders.')
  for (const path of ['/v1/connectors', '/v1/owner/connections', '/v1/streams'])
    expect((await test.owner('GET', path)).body.data, path).toEqual([])
  // The id of a connection is not used again, so that the new one is not mistaken for the old one.
  await imported(['orders.csv', ORDERS])
  const { body: after } = await test.owner('GET', '/v1/owner/connections')
  expect(after.data.map(({ connection_id: id }: any) => id)).toEqual(['orders-2'])
  expect(await titles()).toEqual(['Desk lamp', 'Garden hose', 'Tea Assam'])
  expect((await visitor.post(`${first}/undo`, {})).status).toBe(403)
})

const MAIL = (bytes: Buffer) =>
  [
    'From: Anna Example <anna@example.org>',
    'To: bo@example.org',
    'Subject: The plan',
    'Date: Fri, 7 Feb 2025 10:00:00 +0000',
    'Message-ID: <plan@example.org>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See the plan.',
    '--b',
    'Content-Type: application/pdf; name="plan.pdf"',
    'Content-Disposition: attachment; filename="plan.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    ...(bytes.toString('base64').match(/.{1,76}/g) ?? []),
    '--b--',
    '',
  ].join('\r\n')

it('keeps files of mail once, and undoing removes them', async () => {
  const { test, imported, act, settled } = await place()
  const { dataDir } = test.server.context.config
  const stored = () => storedBlobs(dataDir)
  // More than a pipe can hold, so that the parts have to wait.
  const plan = Buffer.alloc(700_000, 'plan of the house ')
  const path = await imported(['plan.eml', MAIL(plan)])
  const { body } = await test.owner('GET', '/v1/streams/attachments/records')
  expect(body.data[0].data.blob_ref).toMatchObject({ mime_type: 'application/pdf', size_bytes: plan.length })
  const { text } = await test.owner('GET', body.data[0].data.blob_ref.fetch_url)
  expect(text).toBe(plan.toString())
  expect(await stored()).toBe(1)
  await imported(['plan.eml', MAIL(plan)])
  expect(await stored()).toBe(1)
  await act(path, 'undo')
  await settled(path, 'undone')
  expect((await test.owner('GET', '/v1/streams/attachments/records')).status).toBe(404)
  expect(await stored()).toBe(0)
})

it('keeps a mail whose file is too large for the server', async () => {
  const { test, visitor, imported } = await place({ maxBlobBytes: 1000 })
  const path = await imported(['plan.eml', MAIL(Buffer.alloc(200_000, 'x'))])
  expect((await visitor.get(path)).text).toContain('has a file that was refused')
  expect((await test.owner('GET', '/v1/streams/messages/records')).body.data).toHaveLength(1)
})

it('leaves what a later import changed, and says so', async () => {
  const { imported, titles, act, settled } = await place()
  const first = await imported(['orders.csv', ORDERS])
  await imported(['orders.csv', CHANGED])
  await act(first, 'undo')
  const page = await settled(first, 'undone')
  expect(page).toContain('1 item changed again later')
  expect(words(page)).toContain('The account orders stays: it has items that this import did not add')
  expect(words(page)).toContain('The source orders stays: it has other accounts.')
  expect(await titles()).toEqual(['Rug', 'Tea Darjeeling'])
})

it('keeps sources and connections that a grant names', async () => {
  const { test, visitor, imported, upload, act, settled } = await place()
  const path = await imported(['orders.csv', ORDERS])
  await test.owner('POST', '/v1/owner/grants', { client_name: 'Reader', connections: ['orders'] })
  expect(words((await visitor.get(path)).text)).toContain('Sources that it created go too, unless')
  await act(path, 'undo')
  const page = words(await settled(path, 'undone'))
  expect(page).toContain('Removed 3 items that it had added')
  expect(page).toContain('The account orders stays: an agent has or had access to it.')
  expect(page).toContain('The source orders stays: it has other accounts.')
  expect(page).not.toContain('Also removed')
  // A batch of another run is refused before any of it is written. Its source already exists by then.
  const other = await upload(['steps.csv', 'Step ID,Day,Title\nS-1,2025-01-01,One\n'])
  const { imports, storage } = test.server.context
  await storage.imports.change(OWNER, other.slice(8), { state: 'stopped' })
  const steps = { ...(await storage.sources.find(OWNER, 'orders'))!, connector_key: 'steps' }
  await storage.sources.declare(OWNER, steps, other.slice(8))
  expect(await imports.discard(OWNER, other.slice(8))).toBe('removed')
  const { body } = await test.owner('GET', '/v1/connectors')
  expect(body.data.map(({ connector_key: key }: any) => key)).toEqual(['orders'])
})

it('applies the corrections of the form', async () => {
  const { test, visitor, upload, act, settled } = await place()
  const path = await upload(['orders.csv', ORDERS])
  const fields = {
    source: 'shop',
    new_connection: 'mine',
    stream: 'purchases',
    time: '2',
    key: ['0', '3'],
    'type-4': 'text',
  }
  expect((await act(path, 'plan', { act: 'correct', ...fields })).status).toBe(303)
  const { text } = await visitor.get(path)
  expect(text).toMatch(/<dt>Key<\/dt><dd>.*Order ID, Title.*<dt>Time<\/dt><dd>.*Shipped/)
  const before = await act(path, 'plan', { act: 'correct', ...fields, source: 'not a name' })
  expect([before.status, before.text]).toEqual([400, expect.stringContaining('The source must be')])
  await act(path, 'start')
  await settled(path, 'finished')
  const { body } = await test.owner('GET', '/v1/streams/purchases/records?connection_id=mine')
  expect(body.data[0].data).toMatchObject({ 'Order ID': 'A-3', Price: '19.00' })
  const [stream] = (await test.owner('GET', '/connectors/shop')).body.streams
  expect([stream.primary_key, stream.consent_time_field]).toEqual([['Order ID', 'Title'], 'Shipped'])
  // A refused correction is explained, and the plan stays as it was.
  const again = await upload(['shop.csv', ORDERS])
  await act(again, 'plan', { act: 'correct', key: ['1'], time: '2' })
  const refused = (await visitor.get(again)).text
  expect(refused).toContain('t change')
  expect(refused).toContain('write another name into “Source” below')
  expect(refused).toContain('Nothing has been saved yet.')
  expect((await act(again, 'discard')).headers.get('location')).toBe('/import?done=discarded')
  expect((await visitor.get(again)).status).toBe(404)
})

it('lists problems by page and as a download', async () => {
  const { visitor, imported } = await place()
  const rows = Array.from({ length: 120 }, (_, n) =>
    n < 60 ? `K-${n},2025-01-01,thing ${n},${n}` : `K-${n},2025-01-01`,
  )
  const path = await imported(['things.csv', `thing id,day,name,amount\n${rows.join('\n')}\n`])
  const { text } = await visitor.get(path)
  expect(text).toContain('<h2>60 problems</h2>')
  expect(text).toContain('1 to 50 of 60')
  const next = /href="([^"]+after=50)#problems"/.exec(text)![1]!
  expect((await visitor.get(next)).text).toContain('51 to 60 of 60')
  const lines = (await visitor.get(`${path}/problems`)).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toHaveLength(60)
  expect(lines[0]).toMatchObject({ file: 'things.csv', row: 61, line: 62, imported: true })
})

it('refuses uploads that it cannot import', async () => {
  const { visitor, upload, uploads } = await place()
  expect((await visitor.upload([['', '']])).text).toContain('No file was chosen.')
  for (const [name, content, reason] of [
    ['empty.csv', '', 'is empty'],
    ['song.mp3', 'ID3\u0004\u0000', 'is a sound or a film that belongs to no export'],
    ['sheet.xlsx', Buffer.from('PK\u0003\u0004\u0000\u0000'), 'is a spreadsheet: save it as CSV'],
    ['broken.zip', 'no zip at all', 'cannot be read'],
  ] as const) {
    const path = await upload([name, content])
    expect((await visitor.get(path)).text, name).toContain(reason)
  }
  expect(uploads()).toEqual([])
  expect((await visitor.upload([['a.csv', ORDERS]], { form_token: 'wrong' })).status).toBe(403)
  expect((await visitor.post('/import', {})).status).toBe(415)
  const foreign = { 'sec-fetch-site': 'cross-site' }
  expect((await visitor.post('/import', {}, foreign)).status).toBe(403)
})

it('limits uploads by size, number and disk space', async () => {
  let free = 10_000_000
  const { visitor, upload, uploads } = await place(
    {},
    {
      uploads: { maxBytes: 100_000, maxFiles: 2, maxHeld: 2, reserveBytes: 1000, freeBytes: () => free },
    },
  )
  const large = await visitor.upload([
    ['a.csv', ORDERS],
    ['large.csv', 'x'.repeat(200_000)],
  ])
  expect([large.status, large.text]).toEqual([413, expect.stringContaining('at most')])
  const many = await visitor.upload(Array.from({ length: 3 }, (_, n) => [`${n}.csv`, ORDERS] as [string, string]))
  expect(many.status).toBe(413)
  expect(uploads()).toEqual([])
  free = 1100
  const full = await visitor.upload([['a.csv', ORDERS]])
  expect([full.status, full.text]).toEqual([507, expect.stringContaining('has no room for these files')])
  free = 500
  expect((await visitor.get('/import')).text).toContain('The disk of the server is full.')
  free = 10_000_000
  const page = await visitor.get('/import')
  expect(page.text).toContain('Choose files')
  await upload(['a.csv', ORDERS])
  await upload(['b.csv', ORDERS])
  const held = await visitor.upload([['c.csv', ORDERS]])
  expect([held.status, held.text]).toEqual([
    413,
    expect.stringContaining('2 imports are waiting with their files, and the limit is 2'),
  ])
})

it('refuses names in a zip that lead out of it', async () => {
  const { visitor, upload, uploads, test } = await place()
  const inside = await upload([
    'export.zip',
    storedZip({ 'a/<img src=x onerror=alert(1)>\u202e.csv': ORDERS, 'b/song.mp3': 'ID3\u0004\u0000' }),
  ])
  const { text } = await visitor.get(inside)
  expect(text).toContain('1 file will be skipped')
  expect(/<img src=x|\u202e/.test(text.replace(/ value="[^"]*"/g, ''))).toBe(false)
  const outside = await upload(['bad.zip', storedZip({ '../../../etc/orders.csv': ORDERS, '/tmp/orders.csv': ORDERS })])
  expect((await visitor.get(outside)).text).toContain('cannot be read')
  expect(uploads()).toHaveLength(1)
  expect(readdirSync(test.server.context.config.dataDir).filter((name) => name.includes('orders'))).toEqual([])
})

it('keeps nothing of what is erased: earlier versions, problems, files', async () => {
  const { test, imported } = await place()
  await imported(['orders.csv', ORDERS.replace('Tea Assam', 'Quincunxtea')])
  await imported(['orders.csv', `${CHANGED}A-5,quincunxday,,Clock,1\n`])
  await test.owner('POST', '/v1/owner/erase', { connection_id: 'orders' })
  const { dataDir } = test.server.context.config
  const stored = await storedTexts(dataDir)
  // The files were read correctly, because data that was not erased is found.
  expect(stored.some(({ text }) => text.includes('orders.csv'))).toBe(true)
  expect(stored.filter(({ text }) => /quincunx/i.test(text)).map(({ name }) => name)).toEqual([])
})

it('imports two at once, each with its own result', async () => {
  const { upload, act, settled, titles } = await place()
  const rows = (prefix: string) =>
    Array.from({ length: 3000 }, (_, n) => `${prefix}-${n},2025-01-01,${prefix} ${n}`).join('\n')
  const paths = [
    await upload(['first.csv', `First ID,First Day,Title\n${rows('f')}\n`]),
    await upload(['second.csv', `Second ID,Second Day,Title\n${rows('s')}\n`]),
    await upload(['orders.csv', ORDERS]),
  ]
  await Promise.all(paths.map((path) => act(path, 'start')))
  const pages = await Promise.all(paths.map((path) => settled(path, 'finished')))
  expect(pages.map((page) => /<td class="number"[^>]*>([\d,]+)<\/td>/.exec(page)![1])).toEqual(['3,000', '3,000', '3'])
  expect((await titles('first')).every((title: string) => title.startsWith('f'))).toBe(true)
})

it('imports the ticked tables of a database', async () => {
  const { test, visitor, upload, act, settled, uploads } = await place()
  const file = join(test.server.context.config.dataDir, 'made.db')
  const made = new Database(file)
  made.pragma('journal_mode = wal')
  made.exec(`create table books (id integer primary key, title text); create table plans (id integer primary key, goal text);
    insert into books values (1, 'Of rope'), (2, 'Of tea'); insert into plans values (1, 'Walk')`)
  made.close()
  const bytes = readFileSync(file)
  rmSync(file)
  const path = await upload(['shelf.db', bytes])
  expect((await visitor.get(path)).text).toContain('plans')
  await act(path, 'plan', { act: 'correct', table: '0' })
  const { text } = await visitor.get(path)
  expect([text.includes('>books<'), text.includes('>plans<')]).toEqual([true, false])
  await act(path, 'start')
  expect(await settled(path, 'finished')).toContain('books')
  const packed = await upload(['shelf-2.db.gz', gzipSync(bytes)])
  expect((await visitor.get(packed)).text).toContain('new stream')
  await act(packed, 'start')
  await settled(packed, 'finished')
  const counts = (await test.owner('GET', '/v1/streams')).body.data.map(({ name, record_count: n }: any) => [name, n])
  expect(counts.toSorted()).toEqual([
    ['books', 2],
    ['plans', 1],
  ])
  expect(uploads()).toEqual([])
})

it('continues an undo after the server was closed in the middle of it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pdpp-server-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const open = async () => startServer(await storeConfig(dataDir))
  let { context, close } = await open()
  const rows = Array.from({ length: 3000 }, (_, n) => `T-${n},2025-01-01,thing ${n}`).join('\n')
  async function* files() {
    yield { name: 'things.csv', body: Readable.from([Buffer.from(`Thing ID,Day,Title\n${rows}\n`)]) }
  }
  const id = await context.imports.upload(OWNER, files())
  const state = async () => (await context.imports.require(OWNER, id)).state
  await expect.poll(state, { timeout: 20_000 }).toBe('recognised')
  await context.imports.start(OWNER, id)
  await expect.poll(state, { timeout: 20_000 }).toBe('finished')
  const undoing = context.imports.undo(OWNER, id)
  await expect
    .poll(async () => (await context.imports.require(OWNER, id)).written[0]!.removed, { interval: 2, timeout: 20_000 })
    .toBeGreaterThan(0)
  await close()
  await undoing
  ;({ context, close } = await open())
  onTestFinished(() => close())
  await expect.poll(state, { timeout: 20_000 }).toBe('undone')
  expect((await context.imports.require(OWNER, id)).written).toMatchObject([{ removed: 3000, restored: 0, kept: 0 }])
  expect(await context.storage.sources.list(OWNER)).toEqual([])
})

it('renders hostile names, values and reasons inert and bounded', async () => {
  const { visitor, upload, act, settled } = await place()
  const hostile = `<script>alert(1)</script><img src=x onerror=alert(1)>\u202egnp.exe\u200b`
  const long = hostile.replaceAll('"', '').repeat(150)
  const rows = Array.from({ length: 30 }, (_, n) => `${n}x,${n % 3 ? `"${long}"` : ''},${n % 2 ? 12 : hostile}`)
  const path = await upload([`${hostile.repeat(20)}.csv`, `id,"${long}",amount ${hostile}\n${rows.join('\n')}\n`])
  const inert = (text: string) =>
    expect(
      /<script(?! src="\/assets\/)|<img src=x|\u202e|\u200b|\sstyle=|\son\w+="/.test(
        text.replace(/ (value|aria-label)="[^"]*"/g, ''),
      ),
    ).toBe(false)
  const { text } = await visitor.get(path)
  inert(text)
  expect(text.length).toBeLessThan(300_000)
  await act(path, 'start')
  inert(await settled(path, 'finished'))
  inert((await visitor.get('/import')).text)
})

it('imports only the parts that are ticked, and says how much that was', async () => {
  const { test: server, visitor, upload, act, settled } = await place()
  const path = await upload(
    ['orders.csv', ORDERS],
    ['notes.csv', 'id,note\na,rain\nb,sun\n'],
    ['x.bin', '\u0001\u0002'],
  )
  const plan = (await visitor.get(path)).text
  expect(plan.match(/<input type="checkbox" form="start" id="part-\d" name="part" value="\d" checked>/g)).toHaveLength(
    2,
  )
  expect((await act(path, 'start', { parts: 'ticked' })).status).toBe(400)
  await act(path, 'start', { parts: 'ticked', part: ['0'] })
  await settled(path, 'finished')
  const { text } = await visitor.get(path)
  expect(text).toContain('Coverage: 1 of 3 files; 2 of 2 items; no problems in what was read.')
  expect((await server.owner('GET', '/connectors/notes')).status).toBe(200)
  expect((await server.owner('GET', '/connectors/orders')).status).toBe(404)
})

it('calls chats by their names, and says which are new', async () => {
  const { visitor, upload, act, settled } = await place()
  const chat = '[14.02.25, 10:00:00] Ida: Tea?\n[14.02.25, 10:01:00] Bo: Yes\n'
  const first = await upload(['WhatsApp Chat with Family.txt', chat], ['WhatsApp Chat with Club.txt', chat])
  await act(first, 'start', { parts: 'ticked', part: ['0', '1'] })
  const result = words(await settled(first, 'finished'))
  for (const said of ['messages WhatsApp: Family', 'messages WhatsApp: Club', 'Browse WhatsApp: Family'])
    expect(result).toContain(said)
  expect(result).not.toContain('whatsapp-family')
  expect(result).not.toMatch(/reactions/)
  const other = await upload(['WhatsApp Chat with Mira.txt', chat])
  const plan = words((await visitor.get(other)).text)
  expect(plan).toContain('New, and read like the others of its service.')
  expect(plan).not.toContain('already here')
  const again = await upload(['WhatsApp Chat with Club.txt', chat])
  expect(words((await visitor.get(again)).text)).toMatch(/Already here[\s\S]*2 already here/)
})

it('remembers the zone that was written into the form', async () => {
  const { test: server, visitor, upload, act } = await place()
  const text = 'id,at,note\na,01.02.2025 10:00,x\nb,14.02.2025 11:00,y\n'
  const path = await upload(['local.csv', text])
  expect((await visitor.get(path)).text).toContain('its times are read as UTC')
  await act(path, 'plan', { act: 'correct', source: 'local', zone: 'Europe/Berlin' })
  expect((await visitor.get(path)).text).toContain('they are read in Europe/Berlin')
  expect((await server.owner('GET', '/v1/owner/imports/zone')).body.time_zone).toBe('Europe/Berlin')
  const other = await upload(['other.csv', text])
  expect((await visitor.get(other)).text).toContain('they are read in Europe/Berlin')
})

it('offers to remove demo data before the first import, in one click', async () => {
  const { test: server, visitor, upload, act, settled } = await place({}, {}, { fill: copyDemo })
  const path = await upload(['orders.csv', ORDERS])
  const { text } = await visitor.get(path)
  expect(text).toContain('Demo data is still here.')
  for (const choice of ['remove', 'keep']) expect(text).toContain(`name="demo" value="${choice}"`)
  await act(path, 'start', { demo: 'remove' })
  await settled(path, 'finished')
  expect(await server.server.context.demo.isLoaded()).toBe(false)
  const { body } = await server.owner('GET', '/v1/owner/connections')
  expect(body.data.map((each: any) => each.connector_key)).toEqual(['orders'])
  expect((await server.owner('GET', '/v1/owner/demo')).body).toEqual({ object: 'demo', is_loaded: false })
})

it('reads times in the zone of the pages, which follow an import', async () => {
  const { test: server, visitor, upload } = await place()
  await visitor.submit('/settings', '/settings/appearance', { zone: 'America/New_York', theme: '' })
  expect((await server.owner('GET', '/v1/owner/imports/zone')).body.time_zone).toBe('America/New_York')
  const path = await upload(['local.csv', 'id,at,note\na,01.02.2025 10:00,x\nb,14.02.2025 11:00,y\n'])
  expect((await visitor.get(path)).text).toContain('they are read in America/New_York')
  await server.owner('PUT', '/v1/owner/imports/zone', { time_zone: 'Asia/Tokyo' })
  expect(words((await visitor.get('/settings')).text)).toContain('Times are in your time zone, Asia/Tokyo.')
  await visitor.submit('/settings', '/settings/appearance', { zone: '', theme: '' })
  expect((await server.owner('GET', '/v1/owner/imports/zone')).body.time_zone).toBeNull()
})
