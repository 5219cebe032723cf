import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifies } from '../../../tests/fixtures/verifies.ts'
import { newPerson, nobodyThere, type Person, sharedPerson } from './command.ts'
import { demoServer } from './demo-server.ts'

const demo = demoServer()
const json = (text: string) => JSON.parse(text)
const lines = (text: string) => text.trimEnd().split('\n')
const me = sharedPerson()

beforeAll(async () => {
  await demo.connect(me, ['mail-personal', 'mail-work'])
})

test('schema and streams tell what there is, in words and as JSON', async () => {
  const index = await me.run(['read', 'schema'])
  expect(index.stdout).toMatch(
    /^Mail {2}Personal mail \(mail-personal\), Work mail \(mail-work\)\n {2}messages +5,283 records\n/,
  )
  const stream = await me.run(['read', 'schema', demo.url, 'messages'])
  expect(stream.stdout).toMatch(/sent_at +date-time +[=< >]+ +yes +group_by_time, min, max/)
  const whole = json((await me.run(['read', 'schema', 'messages', '--connection', 'mail-work', '--full'])).stdout)
  expect(whole.connectors[0].streams[0].schema.properties).toHaveProperty('subject')
  const rows = lines((await me.run(['read', 'streams', '--jsonl'])).stdout).map(json)
  expect(rows.map(({ name, connection_id }) => `${connection_id} ${name}`)).toContain('mail-work threads')
  const none = await me.run(['read', 'schema', 'nonsense'])
  expect([none.code, none.stdout]).toEqual([4, ''])
  expect(none.stderr).toContain('pdpp read streams')
})

describe('records', () => {
  test('conditions, fields, sort and limit are what the server is asked for', async () => {
    const { stdout, code } = await me.run([
      'read',
      'records',
      demo.url,
      'messages',
      '--where',
      'sent_at>=2026-02-01',
      '--where',
      'sent_at<2026-03-01',
      '--where',
      'folder=Inbox',
      '--fields',
      'subject,sent_at',
      '--sort',
      'sent_at',
      '--limit',
      '3',
      '--count',
      'exact',
      '--json',
    ]) // prettier-ignore
    expect(code).toBe(0)
    const page = json(stdout)
    expect(page.data).toHaveLength(3)
    expect(Object.keys(page.data[0].data).toSorted()).toEqual(['sent_at', 'subject'])
    const times = page.data.map((row: any) => row.data.sent_at)
    expect(times).toEqual([...times].sort())
    expect(times[0].slice(0, 7)).toBe('2026-02')
    expect(page.meta.count).toMatchObject({ kind: 'exact', value: expect.any(Number) })
  })

  test('--all walks every page once, and a page says how to go on', async () => {
    const all = await me.run(['read', 'records', 'attachments', '--all', '--jsonl'])
    const ids = lines(all.stdout).map((line) => json(line).id)
    expect([ids.length, new Set(ids).size]).toEqual([331, 331])
    const whole = json((await me.run(['read', 'records', 'attachments', '--all', '--json'])).stdout)
    expect([whole.data.length, whole.has_more]).toEqual([331, false])
    const first = await me.run(['read', 'records', 'attachments', '--limit', '2'])
    const next = /^ {2}pdpp (read records .*--cursor \S+)$/m.exec(first.stderr)![1]!.split(' ')
    const second = json((await me.run([...next, '--json'])).stdout)
    expect(second.data.map((row: any) => row.id)).toEqual(ids.slice(2, 4))
  })

  test('a table says what it leaves out, and the record it names opens', async () => {
    const { stdout, stderr } = await me.run(['read', 'records', 'messages', '--limit', '2'])
    expect(lines(stdout)).toHaveLength(3)
    expect(lines(stdout)[0]).toMatch(/^KEY +SENT_AT +SUBJECT +FROM_NAME/)
    const open = /Open one: pdpp (.*)/.exec(stderr)![1]!.split(' ')
    const record = await me.run(open)
    expect(record.stdout).toContain(`messages ${open[2]!.split(':')[1]}`)
    expect(record.stdout).toMatch(/^subject {2,}\S/m)
  })

  test('--since-last resumes per grant, stream and connection', async () => {
    const feed = ['read', 'records', 'attachments', '--since-last', '--jsonl']
    expect(lines((await me.run(feed)).stdout)).toHaveLength(331)
    const again = await me.run(feed)
    expect([again.code, again.stdout]).toEqual([0, ''])
    expect(lines((await me.run([...feed, '--connection', 'mail-personal'])).stdout)).toHaveLength(56)
    expect(lines((await me.run([...feed, '--restart'])).stdout)).toHaveLength(331)
    const wrong = await me.run([...feed, '--cursor', 'x'])
    expect([wrong.code, wrong.stdout]).toEqual([2, ''])
  })

  test('related records, neighbours and a change walk', async () => {
    const around = json(
      (
        await me.run([
          'read',
          'records',
          'messages',
          '--where',
          'has_attachments=true',
          '--limit',
          '1',
          '--expand',
          'attachments',
          '--expand-limit',
          'attachments=1',
          '--json',
        ])
      ).stdout,
    )
    const [row] = around.data
    expect(row.expanded.attachments.data).toHaveLength(1)
    const near = json(
      (
        await me.run([
          'read',
          'records',
          'messages',
          '--around',
          row.id,
          '--connection',
          row.connection_id,
          '--limit',
          '3',
          '--json',
        ])
      ).stdout,
    )
    expect(near.data.map((each: any) => each.id)).toContain(row.id)
    const text = await me.run(['read', 'record', `${row.connection_id}/messages:${row.id}`, '--expand', 'attachments'])
    expect(text.stdout).toMatch(/^attachments \(\d/m)
    const thread = await me.run(['read', 'record', `${row.connection_id}/messages:${row.id}`, '--expand', 'thread'])
    expect(thread.stdout).toMatch(new RegExp(`^thread \\(1\\)\n\n {2}${row.data.thread_id}$`, 'm'))
  })
})

verifies('001.5.2', 'each hit has the command that opens the text around it', async () => {
  const found = await me.run(['read', 'search', 'invoice', 'ferry', '--limit', '3'])
  expect(found.code).toBe(0)
  expect(found.stdout).toMatch(/^ 1 Invoice \d+/)
  expect(found.stdout).toContain('Work mail · messages · ')
  expect(found.stdout).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d/)
  const commands = [...found.stdout.matchAll(/^ {3}pdpp (read field .*)$/gm)].map(([, words]) => words!)
  expect(commands).toHaveLength(3)
  const opened = await me.run(commands[0]!.split(' '))
  expect(opened.code).toBe(0)
  expect(opened.stdout).toMatch(/invoice[\s\S]*ferry/)
  const same = json((await me.run([...commands[0]!.split(' '), '--json'])).stdout)
  expect(same).toMatchObject({ object: 'field_window', window: { text: opened.stdout } })
  const rows = json((await me.run(['read', 'search', 'invoice ferry', '--limit', '1', '--json'])).stdout)
  expect(rows.data[0].evidence_excerpts[0]).toHaveProperty('offset_chars')
  expect(rows.meta.read.route).toContain('field-window')
})

verifies('001.5.2', 'a hit by author alone shows its beginning and how to read on', async () => {
  const person = newPerson()
  await demo.connect(person, ['chat'])
  const found = await person.run(['read', 'search', 'Brambleshaw', '--stream', 'messages', '--limit', '2'])
  expect(found.stdout).toMatch(/ · Tomasz Brambleshaw · .* · (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d/)
  expect(found.stdout).not.toContain('author:')
  const [, begins, command] = /^ {3}begins:\n {5}(.+)\n {3}pdpp (read field .*)$/m.exec(found.stdout)!
  const opened = await person.run(command!.split(' '))
  expect([opened.code, opened.stdout.startsWith(begins!)]).toEqual([0, true])
})

verifies('001.5.2', 'the command under a hit uses the grant that found it', async () => {
  const person = newPerson()
  const { grantId } = await demo.connect(person, ['notes'])
  await demo.connect(person, ['contacts'])
  const found = await person.run(['read', 'search', 'ferry', '--limit', '1', '--grant', grantId])
  const [, command] = /^ {3}pdpp (read (?:field|record) .*)$/m.exec(found.stdout)!
  expect(command).toContain(`--grant ${grantId}`)
  expect(await person.run(command!.split(' '))).toMatchObject({ code: 0, stdout: expect.stringMatching(/ferry/i) })
})

test('search narrows, counts, and says why nothing was found', async () => {
  const args = [
    'read',
    'search',
    'invoice',
    '--stream',
    'messages',
    '--since',
    '2026-03-01',
    '--until',
    '2026-04-01',
    '--where',
    'folder=Inbox',
    '--count',
    'exact',
    '--all',
    '--jsonl',
  ]
  const { stdout, code } = await me.run(args)
  expect(code).toBe(0)
  const hits = lines(stdout).map(json)
  expect(hits.length).toBeGreaterThan(1)
  for (const hit of hits) expect(hit.authored_at.slice(0, 7)).toBe('2026-03')
  const nothing = await me.run(['read', 'search', 'zzyzxq'])
  expect([nothing.code, nothing.stdout]).toEqual([0, ''])
  expect(nothing.stderr).toContain('Nothing found for "zzyzxq". No record in reach has any of these words.')
  expect((await me.run(['read', 'search'])).code).toBe(2)
  const one = await me.run(['read', 'search', '1687', '--stream', 'attachments'])
  expect(one.stderr).toContain('1 shown of 1 match.')
})

test('a long field is read part by part, exactly, and --all gives it whole', async () => {
  const page = json(
    (await me.run(['read', 'records', 'messages', '--where', 'folder=Reports', '--limit', '1', '--json'])).stdout,
  )
  const [record] = page.data
  const id = `${record.connection_id}/messages:${record.id}`
  const { body } = record.data
  const part = await me.run(['read', 'field', id, 'body', '--offset', '3', '--limit', '10'])
  expect(part.stdout).toBe([...body].slice(3, 13).join(''))
  expect(part.stderr).toContain('--offset 13')
  let text = ''
  for (let next: string[] | undefined = ['read', 'field', id, 'body', '--limit', '50']; next; ) {
    const { stdout, stderr } = await me.run(next)
    text += stdout
    const go = /Continue: pdpp (.*)/.exec(stderr)
    next = go ? [...go[1]!.split(' '), '--limit', '400'] : undefined
  }
  expect(text).toBe(body)
  expect((await me.run(['read', 'field', id, 'body', '--limit', '60', '--all'])).stdout).toBe(body)
  const missing = await me.run(['read', 'field', id, 'body', '--find', 'zzyzxq'])
  expect([missing.code, missing.stdout]).toEqual([5, ''])
})

test('aggregates print groups as a table in a pipe, and a number alone', async () => {
  const groups = await me.run(['read', 'aggregate', 'messages', '--group-by', 'folder'])
  expect(groups.stdout).toMatch(/^Inbox +1,895$/m)
  const months = lines(
    (await me.run(['read', 'aggregate', 'messages', '--group-by-time', 'sent_at', '--jsonl'])).stdout,
  ).map(json)
  expect(months[0].key < months[1].key).toBe(true)
  expect((await me.run(['read', 'aggregate', 'messages'])).stdout).toBe('5,283 records of messages\n')
  const sum = json(
    (
      await me.run([
        'read',
        'aggregate',
        'messages',
        '--metric',
        'sum',
        '--field',
        'size_bytes',
        '--where',
        'folder=Inbox',
        '--json',
      ])
    ).stdout,
  )
  expect(sum).toMatchObject({ metric: 'sum', filtered_record_count: 1895 })
})

test('aggregates name their unit, their period and their dates', async () => {
  const shopper = newPerson()
  await demo.connect(shopper, ['purchases'])
  const sum = ['read', 'aggregate', 'orders', '--metric', 'sum', '--field', 'total_cents']
  const march = await shopper.run([...sum, '--where', 'ordered_at>=2026-03-01', '--where', 'ordered_at<2026-04-01'])
  expect(march.stdout).toBe('110,855 cents EUR sum of total_cents in orders\n')
  expect(march.stderr).toContain('A date in --where means midnight in UTC.')
  const months = await shopper.run([...sum, '--group-by-time', 'ordered_at', '--time-zone', 'Europe/Berlin'])
  expect(lines(months.stdout)[0]).toBe(
    'sum of total_cents in orders, cents EUR, by ordered_at, per month, Europe/Berlin',
  )
})

test("the existing command's names are accepted", async () => {
  const page = json(
    (
      await me.run([
        'read',
        'query-records',
        demo.url,
        'messages',
        '--limit',
        '1',
        '--connection-id',
        'mail-work',
        '--filter-json',
        '{"folder":"Inbox"}',
        '--format',
        'json',
      ])
    ).stdout,
  )
  const [record] = page.data
  expect(record).toMatchObject({ connection_id: 'mail-work', data: { folder: 'Inbox' } })
  const fetched = json(
    (await me.run(['read', 'fetch', demo.url, 'messages', record.id, '--connection-id', 'mail-work', '--format=json']))
      .stdout,
  )
  expect(fetched.id).toBe(record.id)
  const window = json(
    (
      await me.run([
        'read',
        'field-window',
        demo.url,
        'messages',
        record.id,
        '--field',
        'body',
        '--offset-chars',
        '1',
        '--limit-chars',
        '5',
        '--connection-id',
        'mail-work',
        '--format',
        'json',
      ])
    ).stdout,
  )
  expect(window.window).toMatchObject({ start_chars: 1, end_chars: 6 })
  const rows = json(
    (
      await me.run([
        'read',
        'search',
        demo.url,
        'invoice',
        '--streams',
        'messages,threads',
        '--limit',
        '2',
        '--format',
        'json',
        '--data',
      ])
    ).stdout,
  )
  expect(rows).toHaveLength(2)
})

test('every error has its exit code and says what to do next', async () => {
  const stranger = newPerson()
  const given = newPerson()
  const { token } = await demo.grant(['notes'])
  await given.run(['connect', demo.url, '--with-token'], { input: token })
  const path = join(given.home, '.pdpp', 'clients', `${new URL(demo.url).host.replace(':', '_')}.json`)
  expect(json(readFileSync(path, 'utf8')).credential.access_token).toBe(token)
  const cases: [Person, string[], number, RegExp][] = [
    [stranger, ['read', 'streams'], 3, /You are not connected[\s\S]*Run: pdpp connect <provider-url>/],
    [stranger, ['read', 'streams', 'http://127.0.0.1:1'], 3, /Run: pdpp connect http:\/\/127\.0\.0\.1:1/],
    [me, ['read', 'records', 'notes'], 4, /pdpp read streams/],
    [me, ['read', 'records', 'messages', '--fields', 'nonsense'], 2, /pdpp read schema <stream>/],
    [me, ['read', 'record', 'mail-work/messages:nope'], 5, /pdpp read search/],
    [me, ['read', 'record', 'messages'], 2, /not a result id/],
    [me, ['read', 'records'], 2, /Which stream/],
    [me, ['read', 'streams', 'messages'], 2, /pdpp read schema <stream>/],
    [me, ['read', 'records', 'messages', '--where', 'sent_at'], 2, /in quotes/],
    [me, ['read', 'records', 'messages', '--limit', 'many'], 2, /whole number/],
    [me, ['read', 'blob', 'blob_nope'], 5, /./],
    [me, ['read', 'search', 'ferry', '--mode', 'semantic'], 2, /Leave out --mode/],
    [me, ['read', 'nonsense'], 2, /unknown command|too many arguments/],
    [me, ['read', 'streams', '--grant', 'grt_nope'], 3, /no cached grant/],
    [me, ['connect', 'ftp://x'], 2, /not an http or https address/],
  ]
  for (const [person, args, code, message] of cases) {
    const result = await person.run(args)
    expect([args, result.code, result.stdout, result.stderr]).toEqual([args, code, '', expect.stringMatching(message)])
    expect(result.stderr).not.toMatch(/ at .*:\d+:\d+/)
  }
})

test('a token that is wrong, revoked or for a server that is gone', async () => {
  const wrong = await newPerson().run(['connect', demo.url, '--with-token'], { input: 'pdpp_wrong-wrong-wrong' })
  expect([wrong.code, wrong.stdout]).toEqual([3, ''])
  const holder = newPerson()
  const { grantId } = await demo.connect(holder, ['notes'])
  await demo.revoke(grantId)
  const revoked = await holder.run(['read', 'streams'])
  expect([revoked.code, revoked.stdout]).toEqual([4, ''])
  expect(revoked.stderr).toContain(`pdpp connect ${demo.url}`)
  const owner = await demo.server.context.tokens.issueOwner('owner_local')
  const refused = await newPerson().run(['connect', demo.url, '--with-token'], { input: owner.accessToken })
  expect([refused.code, refused.stdout]).toEqual([4, ''])
  const nobody = await nobodyThere()
  const gone = await newPerson().run(['connect', nobody, '--with-token'], {
    input: 'pdpp_some-token-or-other',
  })
  expect([gone.code, gone.stdout]).toEqual([6, ''])
  expect(gone.stderr).toContain(`pdpp doctor ${nobody}`)
})

test('a reader of a pipe that has had enough is no failure', async () => {
  const running = await me.start(['read', 'records', 'messages', '--all', '--jsonl'])
  running.child.stdin.end()
  await running.printed(/"object":"record"/)
  running.child.stdout.destroy()
  expect((await running.exited).code).toBe(0)
})

test('interrupted, it stops at once and says so by its signal', async () => {
  const running = await me.start(['read', 'records', 'messages', '--all', '--jsonl', '--limit', '1'])
  await running.printed(/"object":"record"/)
  running.child.kill('SIGINT')
  expect((await running.exited).signal).toBe('SIGINT')
})
