import { readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { OWNER } from '@pdpp/server'
import { expect, it, onTestFinished } from 'vitest'
import { Browser, hiddenFields } from '../../../../tests/fixtures/browser.ts'
import { testDatabase, whyNoPostgres } from '../../../../tests/fixtures/postgres-server.ts'
import { mailServer, type TestServer, testServer } from '../../../../tests/fixtures/server.ts'

const PASSPHRASE = 'seven swans on the lake'

/** A program in place of the `pdpp` command. tests/browser/archives-in-a-browser.test.ts tests the command itself. */
const program = (code: string) => ({ program: process.execPath, args: ['-e', code], typed: './pdpp' })

/** Sends the form and reads the whole answer. `whole` tells whether the answer ended properly. */
async function download(
  test: TestServer,
  visitor: Browser,
  fields: Record<string, string> = {},
  beforeTaking = async () => {},
) {
  const hidden = hiddenFields((await visitor.get('/settings/backup')).text, '/settings/backup')
  const body = new URLSearchParams({ ...hidden, passphrase: PASSPHRASE, again: PASSPHRASE, ...fields }).toString()
  const headers = {
    cookie: visitor.cookies(),
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'text/html',
  }
  return new Promise<{ status: number; bytes: number; whole: boolean; text: string }>((resolve, reject) => {
    const sent = request(`${test.server.url}/settings/backup`, { method: 'POST', headers }, (answer) => {
      let [bytes, text] = [0, '']
      beforeTaking().then(
        () =>
          answer.on('data', (piece: Buffer) => {
            bytes += piece.length
            if (bytes < 100_000) text += piece.toString('utf8')
          }),
        reject,
      )
      answer.on('error', () => {})
      answer.on('close', () => resolve({ status: answer.statusCode!, bytes, whole: answer.complete, text }))
    })
    sent.on('error', reject).end(body)
  })
}

it('slows the command down with a slow download, and loses nothing', async () => {
  const [megabytes, progress] = [80, join(tmpdir(), `pdpp-written-${process.pid}`)]
  onTestFinished(() => rmSync(progress, { force: true }))
  const code = `const piece = Buffer.alloc(1e6); let n = 0
    const more = () => { while (n < ${megabytes}) { require('fs').writeFileSync(${JSON.stringify(progress)}, String(++n)); if (!process.stdout.write(piece)) return process.stdout.once('drain', more) } }
    more()`
  const test = await testServer({}, { archiveCommand: program(code) })
  const visitor = await new Browser(test.server).signIn()
  const written = () => Number(readFileSync(progress, 'utf8'))
  const { status, bytes, whole } = await download(test, visitor, {}, async () => {
    let before = -1
    while (before !== written()) {
      before = written()
      await setTimeout(200)
    }
    expect(before).toBeLessThan(megabytes / 2)
  })
  expect([status, bytes, whole]).toEqual([200, megabytes * 1e6, true])
  expect(await test.server.context.archives.last(OWNER, 'backup')).toMatchObject({ bytes: megabytes * 1e6 })
})

it('breaks the download off if the command fails', async () => {
  const late = await testServer(
    {},
    { archiveCommand: program('process.stdout.write(Buffer.alloc(1e6), () => process.exit(3))') },
  )
  const cut = await download(late, await new Browser(late.server).signIn())
  expect([cut.status, cut.whole]).toEqual([200, false])
  expect(await late.server.context.archives.last(OWNER, 'backup')).toBe(undefined)
  const lines: string[] = []
  const archiveCommand = program('console.error("no room on the disk"); process.exit(3)')
  const test = await testServer({}, { archiveCommand, log: (line) => lines.push(line) })
  const { status, text } = await download(test, await new Browser(test.server).signIn())
  expect(status).toBe(500)
  expect(text).toContain('The backup failed.')
  expect(lines).toEqual([expect.stringContaining('no room on the disk')])
  const nothing = await testServer({}, { archiveCommand: { program: '/nowhere/pdpp', args: [], typed: 'pdpp' } })
  expect((await download(nothing, await new Browser(nothing.server).signIn())).status).toBe(500)
})

it('hides the passphrase, and writes a receipt before anything leaves', async () => {
  const code = `require('fs').readFileSync(0, 'utf8').trim() === ${JSON.stringify(PASSPHRASE)} && !process.argv.join(' ').includes('swans') && console.log(process.argv.slice(1).join(' '))`
  const test = await mailServer({}, { archiveCommand: program(code) })
  const visitor = await new Browser(test.server).signIn()
  const { text } = await download(test, visitor)
  expect(text).toBe(`owner backup - --data-dir ${test.server.context.config.dataDir}\n`)
  const { data } = (await test.owner('GET', '/v1/owner/receipts')).body
  expect(data).toMatchObject([{ operation: 'backup', surface: 'console', client_id: null, outcome: 'ok' }])
  expect((await visitor.get('/')).text).not.toContain('Today they read')
})

it('wants a passphrase that holds, and more than an old session', async () => {
  const test = await testServer({}, { archiveCommand: program('console.log("everything")') })
  const { context } = test.server
  const visitor = await new Browser(test.server).signIn()
  for (const [fields, says] of [
    [{ passphrase: 'short', again: 'short' }, '12 characters at least'],
    [{ again: 'another passphrase' }, 'are not the same'],
    [{ passphrase: 'one line\nand another', again: 'one line\nand another' }, 'must be one line'],
  ] as const) {
    const { status, text } = await download(test, visitor, fields)
    expect([status, text]).toEqual([400, expect.stringContaining(says)])
  }
  const { secret } = await context.sessions.start(OWNER, 'link', undefined, Date.now() - 20 * 60_000)
  const old = new Browser(test.server)
  old.setCookie('pdpp_session', secret)
  expect((await old.get('/settings/backup')).text).toContain('./pdpp owner login')
  await context.signIn.setPassword(OWNER, 'a password for the owner')
  const again = await new Browser(test.server).signIn()
  const wrong = await download(test, again, { password: 'a password for someone' })
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('That is not your password.')])
  expect((await download(test, again, { password: 'a password for the owner' })).text).toBe('everything\n')
})

it('says how to do it in a terminal if it cannot do it itself', async () => {
  const test = await testServer()
  const visitor = await new Browser(test.server).signIn()
  expect((await visitor.get('/settings/export')).text).toContain('Type <code>pdpp owner export pdpp-')
  const made = { kind: 'backup', bytes: 1_234_567, created_at: '2026-01-02T03:04:05.000Z' }
  expect((await test.owner('POST', '/v1/owner/archives', made)).status).toBe(201)
  expect((await test.owner('POST', '/v1/owner/archives', { ...made, kind: 'copy' })).status).toBe(400)
  expect((await test.owner('GET', '/v1/owner/archives')).body).toEqual({
    object: 'archives',
    backup: { created_at: made.created_at, bytes: made.bytes },
    export: null,
  })
  expect((await visitor.get('/settings')).text).toContain('(1.2 MB).')
})

it.skipIf(whyNoPostgres() !== undefined)(
  'names the tools of PostgreSQL for a backup of data that is there',
  async () => {
    const { url, release } = await testDatabase()
    onTestFinished(release)
    const test = await testServer({ databaseUrl: url }, { archiveCommand: program('console.log("everything")') })
    const visitor = await new Browser(test.server).signIn()
    const page = (await visitor.get('/settings/backup')).text
    expect([page.includes('pg_dump'), page.includes('pg_restore'), page.includes('passphrase')]).toEqual([
      true,
      true,
      false,
    ])
    expect((await visitor.get('/settings/export')).text).toContain('Download the export')
    const occasion = { subjectId: OWNER, surface: 'console', requestId: 'r' } as const
    const refused = test.server.context.archives.stream('backup', occasion, new AbortController().signal, PASSPHRASE)
    await expect(refused).rejects.toMatchObject({ code: 'backup_by_database' })
  },
)
