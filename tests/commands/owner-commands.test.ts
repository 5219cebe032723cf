import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyDemo } from '../fixtures/demo-data.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { isOnPostgres } from '../fixtures/test-store.ts'

const json = (text: string) => JSON.parse(text)

it('issues, lists, shows and revokes grants', async () => {
  const dataDir = temporaryDirectory()
  const loaded = await runPdpp(['demo', '--json'], { dataDir })
  expect(json(loaded.stdout)).toMatchObject({ connections: 9 })
  const offline = await runPdpp(
    [
      'owner',
      'grant',
      'create',
      '--client',
      'Notes helper',
      '--connection',
      'notes',
      '--stream',
      'notes:title',
      '--json',
    ],
    { dataDir },
  )
  const created = json(offline.stdout)
  expect(Object.keys(created)).toEqual(['grant_id', 'client_id', 'access_token', 'expires_at', 'grant'])
  expect(created.grant.streams).toEqual([
    expect.objectContaining({ name: 'notes', instance_ids: ['notes'], fields: ['id', 'title', 'created_at'] }),
  ])

  const server = await startServerProcess({ dataDir })
  const read = (token: string, path: string) =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
  const page = await read(created.access_token, '/v1/streams/notes/records?limit=1')
  expect(Object.keys(((await page.json()) as any).data[0].data).toSorted()).toEqual(['created_at', 'id', 'title'])
  const mail = await runPdpp(
    [
      'owner',
      'grants',
      'create',
      '--client',
      'Mail',
      '--connection',
      'mail-personal',
      '--connection',
      'mail-work',
      '--stream',
      'messages',
      '--fields',
      'subject,sent_at',
      '--since',
      '2026-01-01',
      '--until',
      '2026-02-01',
      '--expires',
      '7d',
      '--json',
    ],
    { dataDir },
  )
  const [stream] = json(mail.stdout).grant.streams
  expect(stream).toMatchObject({
    fields: ['id', 'subject', 'sent_at'],
    time_constraint: { field: 'sent_at', since: '2026-01-01', until: '2026-02-01' },
  })
  expect(Date.parse(json(mail.stdout).expires_at) - Date.now()).toBeGreaterThan(6 * 86_400_000)
  const single = await runPdpp(
    ['owner', 'grant', 'create', '--client', 'Once', '--connection', 'calendar', '--single-use', '--json'],
    { dataDir },
  )
  expect(json(single.stdout).grant.access_mode).toBe('single_use')

  const list = await runPdpp(['owner', 'grant', 'list'], { dataDir })
  for (const name of ['Notes helper', 'Mail', 'Once', 'active']) expect(list.stdout).toContain(name)
  // The printed command works as it is: it names the data directory and the limit.
  const first = await runPdpp(['owner', 'grant', 'list', '--limit', '1', '--data-dir', dataDir], { dataDir })
  const more = /More: .*pdpp (owner .+)/.exec(first.stdout)![1]!.split(' ')
  expect(more.join(' ')).toContain(`--limit 1 --data-dir ${dataDir} --cursor `)
  const second = await runPdpp(more, { dataDir })
  const rowsOf = ({ stdout }: { stdout: string }) => stdout.match(/^grt_\S+/gm)
  expect([rowsOf(first)?.length, rowsOf(second)?.length]).toEqual([1, 1])
  expect(rowsOf(first)).not.toEqual(rowsOf(second))
  const shown = await runPdpp(['owner', 'grant', 'show', created.grant_id], { dataDir })
  expect(shown.stdout).toContain('May read     notes: id, title, created_at')
  const revoked = await runPdpp(['owner', 'grant', 'revoke', created.grant_id], { dataDir })
  expect([revoked.code, revoked.stdout]).toEqual([0, `Revoked ${created.grant_id}. Its token no longer works.\n`])
  expect((await read(created.access_token, '/v1/schema')).status).toBe(403)
  await server.stop()
})

it('packs, pauses, resumes, narrows and revokes grants', async () => {
  const dataDir = temporaryDirectory()
  await copyDemo(dataDir)
  const server = await startServerProcess({ dataDir })
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runPdpp(['owner', ...words], { dataDir })
    expect([words, code, stderr]).toEqual([words, 0, ''])
    return stdout
  }
  const grant = async (...connections: string[]): Promise<string> => {
    const flags = connections.flatMap((id) => ['--connection', id])
    return json(await run('grant', 'create', '--client', 'Packer', ...flags, '--json')).grant_id
  }
  const [notes, mail] = [await grant('notes'), await grant('mail-personal', 'mail-work')]
  const made = json(await run('package', 'create', '--grant', notes, '--grant', mail, '--json'))
  expect(Object.keys(made)).toEqual(['package_id', 'client_id', 'access_token', 'expires_at', 'package'])
  const read = async (path: string) => {
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${made.access_token}` } })
    const body = (await response.json()) as any
    return [response.status, body.error?.code]
  }
  const notesPath = '/v1/streams/notes/records?connection_id=notes'
  expect(await read(notesPath)).toEqual([200, undefined])
  expect(await run('grant', 'pause', notes)).toContain(`pdpp owner grant resume ${notes}`)
  expect(await read(notesPath)).toEqual([403, 'grant_paused'])
  expect(await run('grants', 'show', notes)).toMatch(/Status +paused since/)
  await run('grant', 'resume', notes)
  expect(await run('grant', 'narrow', notes, '--stream', 'notes:title')).toContain(
    'May read     notes: id, title, created_at',
  )
  expect(await read(notesPath)).toEqual([200, undefined])
  expect(await read(`${notesPath}&fields=body`)).toEqual([403, 'field_not_granted'])
  expect(await run('grant', 'show', notes)).toContain('Replaced by  grt_')
  expect(await run('package', 'list')).toMatch(/active +Packer +notes mail/)
  expect(await run('packages', 'show', made.package_id)).toContain('mail (mail-personal, mail-work)')
  const refused = await runPdpp(['owner', 'package', 'create', '--grant', mail], { dataDir })
  expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining(made.package_id)])
  expect(await run('package', 'revoke', made.package_id)).toContain(`Revoked ${mail}.`)
  expect(await read(notesPath)).toEqual([403, 'package_revoked'])
  await server.stop()
})

it('prints an owner token that works, bare or as JSON', async () => {
  const dataDir = temporaryDirectory()
  const server = await startServerProcess({ dataDir })
  const bare = await runPdpp(['owner', 'token'], { dataDir })
  expect(bare.stdout).toMatch(/^pdpp_[a-z2-7]{8}_[\w-]{43}\n$/)
  const answer = await fetch(`${server.url}/v1/owner/connections`, {
    headers: { authorization: `Bearer ${bare.stdout.trim()}` },
  })
  expect(answer.status).toBe(200)
  expect(Object.keys(json((await runPdpp(['owner', 'token', '--json'], { dataDir })).stdout))).toEqual([
    'access_token',
    'expires_at',
  ])
  await server.stop()
})

it('prints a link that signs in once, and sets a password', async () => {
  const dataDir = temporaryDirectory()
  const early = await runPdpp(['owner', 'login'], { dataDir })
  expect(early.stdout).toMatch(/^http:\/\/127\.0\.0\.1:7662\/owner\/sign-in\/link\/[\w-]{43}\n$/)
  expect(early.stderr).toContain('No server is running')
  const offline = await runPdpp(['owner', 'reset-password'], { dataDir, input: 'poppy seed and rye\n' })
  expect([offline.code, offline.stdout]).toEqual([0, 'The new password is set. All browsers are signed out.\n'])
  const server = await startServerProcess({ dataDir })
  const { url, expires_at: expiresAt } = json((await runPdpp(['owner', 'login', '--json'], { dataDir })).stdout)
  expect(url.startsWith(`${server.url}/owner/sign-in/link/`)).toBe(true)
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(600_000)
  expect((await fetch(url)).status).toBe(200)
  const running = await runPdpp(['owner', 'reset-password'], { dataDir, input: 'rye and poppy seed' })
  expect(running.code).toBe(0)
  // An earlier link no longer works either.
  expect((await fetch(url)).status).toBe(404)
  const refused: [string, RegExp][] = [
    ['', /The password is empty/],
    ['short\n', /at least 12 characters[\s\S]*Choose a longer one/],
  ]
  for (const [input, message] of refused) {
    const { code, stdout, stderr } = await runPdpp(['owner', 'reset-password'], { dataDir, input })
    expect([input, code, stdout]).toEqual([input, 2, ''])
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('short')
  }
  await server.stop()
})

it.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))(
  'does not show a password that is typed at a terminal',
  async () => {
    const main = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts')
    const dataDir = temporaryDirectory()
    const command = `${process.execPath} ${main} owner reset-password --data-dir ${dataDir}`
    const terminal = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { timeout: 25_000 })
    let shown = ''
    let answered = 0
    terminal.stdout.setEncoding('utf8').on('data', (text) => {
      shown += text
      if ((shown.match(/: /g)?.length ?? 0) <= answered) return
      answered++
      terminal.stdin.write('poppy seed and rye\r')
    })
    const [code] = await once(terminal, 'close')
    const isSet = `The password is set. There was no data in ${dataDir}, so this is a new data directory.`
    expect([code, shown]).toEqual([0, `New password: \r\nRepeat it: \r\n${isSet}\r\n`])
  },
)

it('exits with documented codes and says what to do next', async () => {
  const dataDir = temporaryDirectory()
  await (await startServerProcess({ dataDir })).stop()
  const cases: [string[], number, RegExp][] = [
    [['nonsense'], 2, /unknown command/],
    [['owner', 'grant', 'create', '--client', 'x'], 2, /--connection/],
    [['owner', 'grant', 'create', '--client', 'x', '--connection', 'y', '--expires', 'soon'], 2, /is not a time/],
    [
      ['owner', 'grant', 'create', '--client', 'x', '--connection', 'y'],
      5,
      /There is no connection "y"[\s\S]*connection list` lists them/,
    ],
    [['owner', 'grant', 'show', 'grt_nope'], 5, /no such grant/],
  ]
  for (const [args, code, message] of cases) {
    const result = await runPdpp(args, { dataDir })
    expect([args, result.code, result.stdout]).toEqual([args, code, ''])
    expect(result.stderr).toMatch(message)
    expect(result.stderr).not.toMatch(/ at .*:\d+:\d+/)
  }
  expect((await runPdpp([], { dataDir })).stdout).toMatch(/^Usage: \S*pdpp <command>$/m)
})

it('says --help without loading the server', async () => {
  const probe = `import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context) } })`
  const { stderr, stdout } = await runPdpp(['--help'], {
    dataDir: temporaryDirectory(),
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(probe)}` },
  })
  expect(stdout).toMatch(/^Usage: \S*pdpp/m)
  expect(stderr).toContain('commander')
  expect(stderr).not.toMatch(/better-sqlite3|packages\/server|\/zod\//)
})

it.skipIf(isOnPostgres())('does not take a mistyped data directory for an empty one', async () => {
  const dataDir = join(temporaryDirectory(), 'typo')
  for (const words of [
    ['grant', 'list'],
    ['receipt', 'list'],
    ['connection', 'list'],
    ['wish', 'list'],
  ]) {
    const run = await runPdpp(['owner', ...words], { dataDir })
    expect([words, run.code, run.stdout]).toEqual([words, 5, ''])
    expect(run.stderr).toContain(`There is no data in ${dataDir}.`)
  }
  expect(existsSync(dataDir)).toBe(false)
  // A password may be set before the first start, so this command says that the directory is new.
  const input = 'poppy seed and rye\n'
  const first = await runPdpp(['owner', 'reset-password'], { dataDir, input })
  expect(first.stdout).toContain(`There was no data in ${dataDir}, so this is a new data directory.`)
  const second = await runPdpp(['owner', 'reset-password'], { dataDir, input })
  expect(second.stdout).toBe('The new password is set. All browsers are signed out.\n')
})
