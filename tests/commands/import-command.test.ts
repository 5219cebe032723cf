// `pdpp import` as people and programs use it: real processes, real files, a real data directory.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { storedZip } from '../fixtures/stored-zip.ts'
import { storeOf } from '../fixtures/test-store.ts'

const ORDERS = `Order ID,Order Date,Title,Category,Price,Seller
A-1001,2024-03-14,"Garden hose, 20 m",Garden,29.90,Hartley & Sons
A-1002,2025-03-15,Tea Assam,Food,4.50,Leaf House
A-1003,2025-04-16,Desk lamp,Home,19.00,Leaf House
`
const EML = (id: number, date = '07 Feb 2025') =>
  `From: Ana Fisk <ana@fisk.example>\nTo: mira@tallow.example\nSubject: Letter ${id}\nDate: Fri, ${date} 19:21:04 +0200\nMessage-ID: <m${id}@fisk.example>\n\nWords of letter ${id}\n`

function workplace() {
  const folder = temporaryDirectory()
  const dataDir = join(folder, 'data')
  const file = (name: string, text: string | Uint8Array) => {
    const path = join(folder, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const run = (...args: string[]) => runPdpp(['import', ...args], { dataDir, env: { TMPDIR: temporary } })
  const json = async (...args: string[]) => {
    const { stdout, stderr, code } = await run(...args, '--json')
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  return { folder, dataDir, temporary, file, run, json }
}

const counts = (result: any) =>
  result.imports.map((each: any) => each.streams.map((s: any) => [s.name, s.new, s.changed, s.unchanged]))

describe('a table', () => {
  it('is shown, confirmed and imported, and a second run adds only changes', async () => {
    const { file, run, json } = workplace()
    const path = file('orders.csv', ORDERS)
    const asked = await run(path)
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('add --yes')])
    for (const shown of ['A new source, "orders"', 'Order Date  date', 'key', 'searched', 'Garden hose, 20 m'])
      expect(asked.stdout).toContain(shown)
    const first = await run(path, '--yes')
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout).toContain('orders: 3 new, 0 changed, 0 unchanged')
    expect(first.stdout).toMatch(/pdpp owner grant create/)
    expect(first.stdout).not.toContain('\u001b')
    // A known source needs no answer.
    expect(counts(await json(path))).toEqual([[['orders', 0, 0, 3]]])
    const newer = file(
      'orders-2025-05.csv',
      ORDERS.replace('19.00', '17.50').concat('A-1004,2025-05-01,Rug,Home,80,Hartley & Sons\n'),
    )
    expect(counts(await json(newer))).toEqual([[['orders', 1, 1, 2]]])
  })

  it('can be granted down to field and time, like every other source', async () => {
    const { dataDir, file, json } = workplace()
    await json(file('orders.csv', ORDERS), '--yes')
    const grant = await runPdpp(
      [
        'owner',
        'grant',
        'create',
        '--client',
        'Shopper',
        '--connection',
        'orders',
        '--stream',
        'orders:Title',
        '--since',
        '2025-01-01',
        '--until',
        '2025-04-01',
        '--json',
      ],
      { dataDir },
    )
    const { access_token: token } = JSON.parse(grant.stdout)
    const server = await startServerProcess({ dataDir })
    const get = async (path: string) => {
      const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
      return { status: response.status, body: (await response.json()) as any }
    }
    const page = await get('/v1/streams/orders/records')
    expect(page.body.data.map(({ data }: any) => data)).toEqual([
      { 'Order ID': 'A-1002', 'Order Date': '2025-03-15', Title: 'Tea Assam' },
    ])
    expect((await get('/v1/streams/orders/records?fields=Price')).status).toBe(403)
    expect((await get('/v1/streams/orders/records/A-1001')).status).toBe(404)
    expect((await get('/v1/search?q=lamp')).body.data).toEqual([])
    expect((await get('/v1/search?q=assam')).body.data).toHaveLength(1)
    // The command talks to the running server.
    expect(counts(await json(file('orders.csv', `${ORDERS}A-1005,2025-03-20,Tea cup,Home,3,Leaf House\n`)))).toEqual([
      [['orders', 1, 0, 3]],
    ])
    expect((await get('/v1/search?q=cup')).body.data).toHaveLength(1)
    await server.stop()
  })

  it('is corrected by flags or by a file, and stays corrected', async () => {
    const { dataDir, file, json } = workplace()
    const path = file('table.csv', 'nr;datum;betrag\n1;01.02.2024;"1.234,50"\n2;03.04.2024;2\n')
    const overrides = file(
      'overrides.json',
      JSON.stringify({ source: 'bank', stream: 'payments', key: ['nr'], types: { datum: 'mdy', nr: 'text' } }),
    )
    const result = await json(path, '--declaration', overrides, '--stream', 'bookings', '--yes')
    expect(counts(result)).toEqual([[['bookings', 2, 0, 0]]])
    const server = await startServerProcess({ dataDir })
    const { stdout: token } = await runPdpp(['owner', 'token'], { dataDir })
    const page = (await (
      await fetch(`${server.url}/v1/streams/bookings/records?order=asc`, {
        headers: { authorization: `Bearer ${token.trim()}` },
      })
    ).json()) as any
    expect(page.data[0].data).toEqual({ nr: '1', datum: '2024-01-02', betrag: 1234.5 })
    await server.stop()
    expect(counts(await json(path, '--source', 'bank'))).toEqual([[['bookings', 0, 0, 2]]])
  })

  it('tells problems by row, and takes the rest', async () => {
    const { file, run } = workplace()
    const path = file(
      'log.jsonl',
      '{"id":1,"text":"one"}\nbroken\n{"id":2,"text":"two"}\n{"text":"no id"}\n{"id":3,"text":"three"}\n',
    )
    const { code, stdout } = await run(path, '--yes', '--key', 'id')
    expect(code).toBe(0)
    expect(stdout).toContain('log: 3 new, 0 changed, 0 unchanged')
    expect(stdout).toMatch(
      /2 problems\n {2}log\.jsonl, row 2, line 2: is not JSON \(not imported\) "broken"\n.*row 4, line 4: has no "id"/,
    )
    const events = (await run(path, '--jsonl')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map(({ event }) => event).filter((event) => event !== 'progress')).toEqual([
      'plan',
      'problem',
      'problem',
      'result',
    ])
    expect(events.find(({ event }) => event === 'problem')).toMatchObject({
      file: 'log.jsonl',
      row: 2,
      line: 2,
      reason: 'is not JSON',
      imported: false,
    })
  })

  it('is read where it lies in a zip', async () => {
    const { file, json } = workplace()
    const path = file(
      'takeout.zip',
      storedZip({
        'Takeout/orders.csv': ORDERS,
        '__MACOSX/x.csv': 'no',
        'Takeout/Mail/Sent.mbox': `From a@b Fri Feb 07 03:33:20 2025\n${EML(1)}`,
      }),
    )
    const result = await json(path, '--yes')
    expect(counts(result)).toEqual([
      [
        ['messages', 1, 0, 0],
        ['attachments', 0, 0, 0],
      ],
      [['orders', 3, 0, 0]],
    ])
    expect(result.imports[1].files).toEqual(['takeout.zip/Takeout/orders.csv'])
  })

  it('of a damaged zip reports the file that cannot be read', async () => {
    const { file, run } = workplace()
    const zip = storedZip({ 'orders.csv': ORDERS, 'notes.csv': 'id,note\n1,kept\n2,too\n' })
    zip.write('30', zip.indexOf('29.90'))
    const { code, stdout, stderr } = await run(file('damaged.zip', zip), '--yes', '--json')
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/orders\.csv cannot be read: its checksum does not match/),
    ])
    expect(counts(JSON.parse(stdout))).toEqual([[['notes', 2, 0, 0]]])
  })

  it('of a database in write-ahead mode leaves nothing next to it', async () => {
    const { folder, temporary, file, json } = workplace()
    const path = file('in/history.sqlite', '')
    const database = new Database(path)
    database.exec(`pragma journal_mode = wal; create table visits (id integer primary key, at text, title text);
      insert into visits values (1, '2025-01-01T00:00:00Z', 'One'), (2, '2025-01-02T00:00:00Z', 'Two')`)
    database.close()
    const before = readFileSync(path)
    expect(counts(await json(join(folder, 'in'), '--yes'))).toEqual([[['visits', 2, 0, 0]]])
    expect(readdirSync(join(folder, 'in'))).toEqual(['history.sqlite'])
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(counts(await json(file('history.sqlite.gz', gzipSync(before))))).toEqual([[['visits', 0, 0, 2]]])
    expect(readdirSync(temporary)).toEqual([])
  })

  it('is only looked at with --dry-run', async () => {
    const { dataDir, file, run } = workplace()
    const { code, stdout } = await run(file('orders.csv', ORDERS), '--dry-run')
    expect([code, stdout]).toEqual([0, expect.stringContaining('orders: 3 items would be imported')])
    const list = await runPdpp(['owner', 'connections', '--json'], { dataDir })
    expect(JSON.parse(list.stdout).data).toEqual([])
  })
})

it('is on the page of imports and can be undone there', async () => {
  const { dataDir, file, json } = workplace()
  const orders = file('orders.csv', ORDERS)
  await json(orders, '--yes')
  await json(orders)
  const broken = file('orders.csv', `${ORDERS}A-1004,soon,Rug\n`)
  expect((await json(broken)).imports[0].streams[0]).toMatchObject({ new: 1, changed: 0 })
  const { openOffline, OWNER, readConfig } = await import('@pdpp/server')
  const { context, close } = await openOffline({
    ...readConfig({ dataDir }),
    ...(await storeOf(dataDir)),
    log: 'errors',
  })
  try {
    const found = await context.imports.list(OWNER, { limit: 10 })
    expect(found.map(({ state, problems, written }) => [state, problems, written[0]!.added])).toEqual([
      ['finished', 2, 1],
      ['finished', 0, 3],
    ])
    await context.imports.undo(OWNER, found[0]!.importId)
    expect(await context.imports.require(OWNER, found[0]!.importId)).toMatchObject({
      state: 'undone',
      written: [{ removed: 1, restored: 0, kept: 0 }],
      made: [],
    })
    // The first import had created the source and the connection.
    await context.imports.undo(OWNER, found[1]!.importId)
    expect((await context.imports.require(OWNER, found[1]!.importId)).made).toEqual([
      { kind: 'source', name: 'orders', outcome: 'removed' },
      { kind: 'connection', name: 'orders', outcome: 'removed' },
    ])
    expect(await context.storage.connections.list(OWNER)).toEqual([])
  } finally {
    await close()
  }
})

describe('an import of several parts', () => {
  it('takes the chosen ones, and says how much of everything that was', async () => {
    const { file, run, json, folder } = workplace()
    file('in/orders.csv', ORDERS)
    file('in/note.json', '{"title":"Groceries","items":[{"text":"Tea"},{"text":"Rope"}]}')
    file('in/odd.bin', new Uint8Array([1, 2, 0, 0, 3]))
    const dry = await run(join(folder, 'in'), '--dry-run')
    expect(dry.stdout).toMatch(/\[1\] in\/note\.json[\s\S]*\[2\] in\/orders\.csv/)
    const first = await json(join(folder, 'in'), '--yes', '--only', 'note')
    expect(first.coverage).toEqual({
      files: { seen: 3, read: 1 },
      items: { seen: 3, imported: 3 },
      problems: 0,
      unexplained: 0,
    })
    const second = await run(join(folder, 'in'), '--yes')
    expect(second.stdout).toContain('Coverage: 2 of 3 files; 6 of 6 items; no problems in what was read.')
    const wrong = await run(join(folder, 'in'), '--yes', '--only', '7')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('The parts are: 1 note, 2 orders.')])
  })

  it('reads times without a zone in the chosen one, or in UTC', async () => {
    const { file, run, json } = workplace()
    const path = file('visits.csv', 'id,at,place\na,01.02.2025 10:00,Pier\nb,14.02.2025 11:30,Mole\n')
    expect((await run(path, '--yes')).stdout).toMatch(/times are read as UTC/)
    const [again] = (await json(path, '--zone', 'UTC')).imports
    expect(again.streams[0]).toMatchObject({ new: 0, changed: 0, unchanged: 2 })
  })
})

describe('mail', () => {
  it('of mbox, Maildir and .eml is one mailbox without repeats', async () => {
    const { folder, file, json } = workplace()
    file('mail/Inbox.mbox', [1, 2].map((id) => `From a@b Fri Feb 07 03:33:20 2025\n${EML(id)}\n`).join(''))
    file('mail/Maildir/.Sent/cur/1.host:2,S', EML(3))
    file('mail/Maildir/.Sent/new/keep', '')
    file('mail/Maildir/.Sent/tmp/4', EML(4))
    file('mail/letters/5.eml.gz', gzipSync(EML(5)))
    file('mail/letters/1.eml', EML(1))
    const result = await json(join(folder, 'mail'), '--yes')
    expect(counts(result)).toEqual([
      [
        ['messages', 4, 0, 0],
        ['attachments', 0, 0, 0],
      ],
    ])
    expect(result.skipped).toEqual([{ file: 'mail/Maildir/.Sent/new/keep', reason: 'is empty' }])
    expect(counts(await json(join(folder, 'mail')))).toEqual([
      [
        ['messages', 0, 0, 4],
        ['attachments', 0, 0, 0],
      ],
    ])
  })

  it('of two accounts is kept in two connections', async () => {
    const { file, json, run } = workplace()
    await json(file('a.eml', EML(1)), '--yes', '--connection', 'home')
    const work = await json(file('b.eml', EML(2)), '--connection', 'work')
    expect(work.imports[0]).toMatchObject({ source: 'mailbox', connection_id: 'work', match: 'same' })
    const unclear = await run(file('c.eml', EML(3)))
    expect([unclear.code, unclear.stderr]).toEqual([
      2,
      expect.stringMatching(/has 2 accounts[\s\S]*--connection: home, work/),
    ])
  })
})

describe('chats of a service that is known', () => {
  const chat = (text: string) => `[14.02.25, 10:00:00] Ida: ${text}\n[14.02.25, 10:01:00] Bo: Yes\n`

  it('are each shown and agreed to; a known chat needs no answer', async () => {
    const { file, run } = workplace()
    file('in/WhatsApp Chat with Family.txt', chat('Tea?'))
    const folder = join(file('in/WhatsApp Chat with Club.txt', chat('Rope?')), '..')
    const asked = await run(folder)
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('add --yes')])
    for (const shown of ['WhatsApp: Club', 'WhatsApp: Family', '[1]', '[2]', 'New, in the source "whatsapp"'])
      expect(asked.stdout).toContain(shown)
    expect(asked.stdout).not.toContain('--table')
    const first = await run(folder, '--yes')
    expect(first.stdout).toContain('messages: 2 new, 0 changed, 0 unchanged')
    expect(first.stdout).not.toContain('reactions: 0')
    expect((await run(folder)).code).toBe(0)
    const other = await run(file('WhatsApp Chat with Mira.txt', chat('Boat?')))
    expect([other.code, other.stdout]).toEqual([2, expect.stringContaining('WhatsApp: Mira')])
  })
})

describe('what cannot be imported', () => {
  it('is refused with a code, a reason and what to do', async () => {
    const { folder, file, run } = workplace()
    const cases: [string[], number, RegExp][] = [
      [[join(folder, 'nowhere.csv')], 5, /There is no file .*nowhere\.csv[\s\S]*Check the path/],
      [[file('empty.csv', '')], 2, /empty\.csv is empty[\s\S]*can be imported/],
      [[file('header.csv', 'id,name\n')], 2, /has no rows/],
      [[file('song.mp3', 'ID3\u0004\u0000')], 2, /is a sound or a film[\s\S]*CSV/],
      [[file('data.7z', '7z\u00bc\u00af\u0027\u001c')], 2, /archive: unpack it/],
      [[file('data.zip', 'PK\u0003\u0004')], 1, /data\.zip cannot be read[\s\S]*Check the file/],
      [[file('broken.sqlite', 'SQLite format 3\u0000nonsense')], 2, /t be read as a database/],
      [
        [file('broken.csv.gz', 'not gzip'), '--yes'],
        1,
        /is not packed with gzip[\s\S]*Rename it with the right ending/,
      ],
      [[file('a.csv', ORDERS), '--key', 'nope', '--yes'], 2, /no column "nope"[\s\S]*Order ID/],
      [[file('a.csv', ORDERS), '--zone', 'Mars/Base'], 2, /not a time zone/],
      [[file('a.csv', ORDERS), '--type', 'Price'], 2, /column=type/],
      [[file('a.csv', ORDERS), '--source', 'a/b'], 2, /--source must be/],
      [[file('a.csv', ORDERS), '--declaration', file('w.json', '{"nokey": 1}')], 2, /"nokey"\. It may have: source/],
      [[file('a.csv', ORDERS), '--watch'], 2, /--watch needs a folder/],
      [[folder, '--watch', '--json'], 2, /--jsonl/],
      [[], 2, /missing required argument/],
    ]
    execFileSync('mkfifo', [join(folder, 'pipe.csv')])
    cases.push([[join(folder, 'pipe.csv'), '--yes'], 2, /pipe\.csv is a pipe or a device[\s\S]*to a file, then import/])
    for (const [args, code, message] of cases) {
      const result = await run(...args)
      expect([args, result.code, result.stderr]).toEqual([args, code, expect.stringMatching(message)])
      expect(result.stderr).not.toMatch(/ at .*:\d+:\d+/)
    }
  })

  it.skipIf(process.getuid?.() === 0)('is a file that may not be read', async () => {
    const { file, run } = workplace()
    const path = file('secret.csv', ORDERS)
    chmodSync(path, 0o000)
    const { code, stderr } = await run(path)
    expect([code, stderr]).toEqual([4, expect.stringContaining('You may not read')])
  })

  it('does not keep the others out', async () => {
    const { folder, file, run } = workplace()
    file('in/a.csv', ORDERS)
    file('in/b.sqlite', 'SQLite format 3\u0000nonsense')
    file('in/c.bin', new Uint8Array(500))
    const { code, stdout, stderr } = await run(join(folder, 'in'), '--yes', '--json')
    expect([code, stderr]).toEqual([2, expect.stringContaining('t be read as a database')])
    expect(counts(JSON.parse(stdout))).toEqual([[['a', 3, 0, 0]]])
    expect(JSON.parse(stdout).failures).toEqual([
      { file: 'in/b.sqlite', message: expect.stringContaining('t be read') },
    ])
    expect(JSON.parse(stdout).skipped).toEqual([{ file: 'in/c.bin', reason: expect.any(String) }])
    expect((await run(join(folder, 'in'))).stderr).toContain('Skipped: in/c.bin')
    const gone = await run(join(folder, 'gone.csv'), join(folder, 'in', 'a.csv'), '--json')
    expect([gone.code, gone.stderr]).toEqual([5, expect.stringContaining('There is no file')])
    expect(counts(JSON.parse(gone.stdout))).toEqual([[['a', 0, 0, 3]]])
    expect(JSON.parse(gone.stdout).failures).toHaveLength(1)
  })

  it('is explained when a known source would change beyond what it can', async () => {
    const { file, json, run } = workplace()
    await json(file('orders.csv', ORDERS), '--yes')
    const { code, stderr } = await run(file('orders.csv', ORDERS.replaceAll(/,[\d.]+,(?=\w+ )/g, ',cheap,')))
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/"Price" was number in earlier imports[\s\S]*--source <name>/),
    ])
  })
})

it('docs/importing.md shows what the command prints', async () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'importing.md'), 'utf8')
  const [, name, content] = /^```sh\n\$ cat (\S+)\n([\s\S]*?)^```$/m.exec(page)!
  const { file, run } = workplace()
  const { stdout, code } = await run(file(name!, content!), '--yes')
  const [, shown] = /^```text\n\$ \.\/pdpp import [^\n]*\n([\s\S]*?)^```$/m.exec(page)!
  const settled = (text: string) =>
    text
      .replace(/in \d+\.\d s/, 'in 0.1 s')
      .replace(/Import this\? .*\n\n?/, '')
      .replace(/^ {2}\S.*?pdpp owner/m, '  pdpp owner')
      .replace(/--since \d{4}/, '--since 2025')
      .trimEnd()
  expect([code, settled(stdout)]).toEqual([0, settled(shown!)])
})
