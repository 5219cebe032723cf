import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openSqliteStorage, runningServer } from '@pdpp/server'
import { expect, it } from 'vitest'
import { freePort } from '../fixtures/http.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { verifies } from '../fixtures/verifies.ts'

const oneLine = (text: string) => {
  expect(text.trim().split('\n')).toHaveLength(1)
  expect(text).not.toMatch(/ at .*:\d+:\d+|node:internal/)
}

it('loads the demo owner on the first start only', async () => {
  const dataDir = join(temporaryDirectory(), 'deep', 'data')
  const first = await startServerProcess({ dataDir, args: ['--demo'] })
  while (!first.output().includes('Ctrl-C')) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(first.output()).toMatch(/Loaded 2\d,\d{3} items of an invented person from 9 sources/)
  expect(first.output()).toContain(`${first.url}/mcp`)
  expect(statSync(dataDir).mode & 0o077).toBe(0)
  expect(await first.stop('SIGINT')).toEqual({ code: 0, signal: null })
  expect(existsSync(join(dataDir, 'server.lock'))).toBe(false)
  const second = await startServerProcess({ dataDir, args: ['--demo'] })
  expect(second.output()).not.toContain('invented person')
  expect((await second.stop('SIGTERM')).code).toBe(0)
})

it('says in one line that the port is in use', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => blocker.once('listening', resolve))
  const { port } = blocker.address() as { port: number }
  const { code, stderr, stdout } = await runPdpp(['serve', '--port', String(port)], { dataDir: temporaryDirectory() })
  blocker.close()
  expect([code, stdout]).toEqual([1, ''])
  oneLine(stderr)
  expect(stderr).toContain(`Port ${port} is in use`)
})

it('says in one line that the data directory cannot be written', async () => {
  const parent = temporaryDirectory()
  const file = join(parent, 'file')
  writeFileSync(file, '')
  const places = [file, join(file, 'below'), '/proc/pdpp']
  if (process.getuid?.() !== 0) {
    chmodSync(parent, 0o500)
    places.push(join(parent, 'new'))
  }
  for (const dataDir of places) {
    const { code, stderr } = await runPdpp(['serve', '--port', '0'], { dataDir })
    expect([dataDir, code]).toEqual([dataDir, 1])
    oneLine(stderr)
    expect(stderr).toContain('Cannot write to the data directory')
    if (dataDir.startsWith(file)) expect(stderr).toContain('it is a file, or below one. Choose another')
  }
  chmodSync(parent, 0o700)
})

it.runIf(existsSync('/dev/full'))('ends if the disk is full when it starts', async () => {
  const dataDir = temporaryDirectory()
  await openSqliteStorage(dataDir).close()
  // The last file that a start writes, on a disk without room.
  symlinkSync('/dev/full', join(dataDir, 'server.json'))
  const { code, stderr } = await runPdpp(['serve', '--port', '0'], { dataDir })
  expect(code).toBe(1)
  oneLine(stderr)
  expect(stderr).toContain(`Cannot write to the data directory ${dataDir}: its disk is full. Free some space`)
  expect(existsSync(join(dataDir, 'server.lock'))).toBe(false)
})

it('says in one line that it cannot listen on an address', async () => {
  const env = { PDPP_OWNER_PASSWORD: 'four words are easy to keep', PDPP_PUBLIC_URL: 'https://data.example.org' }
  const args = ['serve', '--port', '0', '--host', '192.0.2.1']
  const { code, stderr } = await runPdpp(args, { dataDir: temporaryDirectory(), env })
  expect(code).toBe(1)
  oneLine(stderr)
  expect(stderr).toContain('192.0.2.1 is not an address of this computer.')
})

it('refuses a database from a newer version and leaves it alone', async () => {
  const dataDir = temporaryDirectory()
  await openSqliteStorage(dataDir).close()
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(join(dataDir, 'pdpp.db'))
  database.pragma('user_version = 99')
  database.close()
  const { code, stderr } = await runPdpp(['serve', '--port', '0'], { dataDir })
  expect(code).toBe(1)
  oneLine(stderr)
  expect(stderr).toContain('newer version')
  const checks = await runPdpp(['doctor'], { dataDir })
  expect(checks.code).toBe(1)
  expect(checks.stdout).toContain('was written by a newer version of pdpp (data format 99')
})

verifies(
  'checklist 15',
  'listens beyond this machine only with a password and https',
  async () => {
    const dataDir = temporaryDirectory()
    const https = { PDPP_PUBLIC_URL: 'https://data.example.org' }
    const password = { PDPP_OWNER_PASSWORD: 'poppy seed and rye' }
    const refused: [Record<string, string>, RegExp][] = [
      [{}, /no password.*no https address/],
      [https, /no password \(set PDPP_OWNER_PASSWORD/],
      [password, /no https address \(set PDPP_PUBLIC_URL/],
      [{ ...https, PDPP_OWNER_PASSWORD: 'short' }, /PDPP_OWNER_PASSWORD cannot be used/],
      [{ ...password, PDPP_PUBLIC_URL: 'http://data.example.org' }, /must begin with https/],
    ]
    for (const [env, reason] of refused) {
      const { code, stderr, stdout } = await runPdpp(['serve', '--port', '0', '--host', '0.0.0.0'], {
        dataDir: temporaryDirectory(),
        env,
      })
      expect([env, code, stdout]).toEqual([env, 1, ''])
      oneLine(stderr)
      expect(stderr).toMatch(reason)
    }
    // A password that was set earlier, not by the environment, works as well.
    await runPdpp(['owner', 'reset-password'], { dataDir, input: 'poppy seed and rye\n' })
    const port = await freePort()
    const server = runPdpp(['serve', '--port', String(port), '--host', '0.0.0.0'], { dataDir, env: https })
    await expect
      .poll(() => runningServer(dataDir), { timeout: 15_000 })
      .toEqual({
        url: `http://127.0.0.1:${port}`,
        publicUrl: 'https://data.example.org',
      })
    const { resource } = (await (
      await fetch(`http://127.0.0.1:${port}/.well-known/oauth-protected-resource`)
    ).json()) as { resource: string }
    expect(resource).toBe('https://data.example.org')
    process.kill(Number.parseInt(readFileSync(join(dataDir, 'server.lock'), 'utf8'), 10), 'SIGTERM')
    const { stdout } = await server
    expect(stdout).toContain('PDPP is running at https://data.example.org.')
    // With a password there is no link that could remain in a log.
    expect(stdout).not.toContain('/owner/sign-in/link/')
  },
  60_000,
)

it('writes a line for each request, without addresses or words', async () => {
  const dataDir = temporaryDirectory()
  const server = await startServerProcess({ dataDir, env: { PDPP_LOG: 'requests' } })
  for (const path of [
    '/v1/search?q=secretword',
    '/r/home%2Fmessages%3Asecretkey',
    '/owner/sign-in/link/secretlink',
    '/secretpath',
  ])
    await fetch(server.url + path, { redirect: 'manual', headers: { accept: 'text/html' } })
  await server.stop()
  for (const route of ['GET /v1/search 401', 'GET /r/:id 303', 'GET /owner/sign-in/link/:token 404'])
    expect(server.output()).toContain(route)
  expect(server.output()).toMatch(/Z GET \S+ 404 [\d.]+ ms req_/)
  expect(server.output()).not.toContain('secret')
})

it('refuses a second server on the same data', async () => {
  const dataDir = temporaryDirectory()
  const server = await startServerProcess({ dataDir })
  const second = await runPdpp(['serve', '--port', '0'], { dataDir })
  expect([second.code, second.stderr.includes('Another pdpp server')]).toEqual([1, true])
  await server.stop()
  const beyond = await runPdpp(['serve', '--host', '0.0.0.0'], { dataDir: temporaryDirectory() })
  expect(beyond.code).toBe(1)
  oneLine(beyond.stderr)
})

it('a port that is none is a wrong word on the command line', async () => {
  for (const port of ['abc', '65536', '99999', '-1', '']) {
    const { code, stderr } = await runPdpp(['serve', `--port=${port}`], { dataDir: temporaryDirectory() })
    expect([port, code, stderr]).toEqual([port, 2, expect.stringContaining('a number from 0 to 65535')])
  }
})
