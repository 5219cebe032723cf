import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openSqliteStorage } from '@pdpp/server'
import { expect, it } from 'vitest'
import { runPdpp, startServer, temporaryDirectory } from './processes.ts'

const oneLine = (text: string) => {
  expect(text.trim().split('\n')).toHaveLength(1)
  expect(text).not.toMatch(/ at .*:\d+:\d+|node:internal/)
}

it('loads the demo owner on the first start only, prints what works, and ends cleanly', async () => {
  const dataDir = join(temporaryDirectory(), 'deep', 'data')
  const first = await startServer({ dataDir, args: ['--demo'] })
  while (!first.output().includes('Ctrl-C')) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(first.output()).toMatch(/Loaded 2\d,\d{3} records from 9 connections/)
  expect(first.output()).toContain(`${first.url}/v1`)
  expect(statSync(dataDir).mode & 0o077).toBe(0)
  expect(await first.stop('SIGINT')).toEqual({ code: 0, signal: null })
  expect(existsSync(join(dataDir, 'server.lock'))).toBe(false)
  const second = await startServer({ dataDir, args: ['--demo'] })
  expect(second.output()).not.toContain('First run')
  expect((await second.stop('SIGTERM')).code).toBe(0)
}, 60_000)

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
  }
  chmodSync(parent, 0o700)
})

it('refuses a database from a newer version, in one line, and leaves it alone', async () => {
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
})

it('refuses a second server on the same data, a bad port, and an address beyond this machine', async () => {
  const dataDir = temporaryDirectory()
  const server = await startServer({ dataDir })
  const second = await runPdpp(['serve', '--port', '0'], { dataDir })
  expect([second.code, second.stderr.includes('Another pdpp server')]).toEqual([1, true])
  await server.stop()
  const other = temporaryDirectory()
  for (const args of [
    ['--port', '99999'],
    ['--port', 'x'],
    ['--host', '0.0.0.0'],
  ]) {
    const { code, stderr } = await runPdpp(['serve', ...args], { dataDir: other })
    expect([args, code]).toEqual([args, 1])
    oneLine(stderr)
  }
})
