import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Browser } from '../fixtures/browser.ts'
import { copyDemo } from '../fixtures/demo-data.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'

const json = (text: string) => JSON.parse(text)
const input = 'correct horse battery staple\n'

it('restores what was backed up from a running server', async () => {
  const dataDir = temporaryDirectory()
  const folder = temporaryDirectory()
  const file = join(folder, 'pdpp.backup')
  await copyDemo(dataDir)
  const made = await runPdpp(['owner', 'grant', 'create', '--client', 'A', '--connection', 'notes', '--json'], {
    dataDir,
  })
  const headers = { authorization: `Bearer ${json(made.stdout).access_token}` }
  const server = await startServerProcess({ dataDir })
  const path = '/v1/streams/notes/records?limit=50'
  const before = (await (await fetch(server.url + path, { headers })).json()) as any
  let reading = true
  const reads = (async () => {
    let count = 0
    for (; reading; count++) expect((await fetch(server.url + path, { headers })).status).toBe(200)
    return count
  })()
  const done = await runPdpp(['owner', 'backup', file, '--json'], { dataDir, input })
  reading = false
  expect(await reads).toBeGreaterThan(0)
  expect(done.stderr).toBe('')
  expect(json(done.stdout)).toMatchObject({ file, bytes: statSync(file).size })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'latin1')).not.toContain('SQLite format')
  expect(readdirSync(folder)).toEqual(['pdpp.backup'])
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([])

  // The server knows of it, and can make one itself.
  const link = /http:\S+(\/owner\/sign-in\/link\/\S+)/.exec(server.output())![1]!
  const owner = new Browser(server)
  await owner.submit(link, link)
  expect((await owner.get('/settings')).text).toMatch(
    /The last backup was made <time [^>]+>just now<\/time> \([\d.]+ MB\)/,
  )
  expect((await owner.get('/settings/backup')).text).toContain('Download the backup')

  const again = await runPdpp(['owner', 'backup', file], { dataDir, input })
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('was not overwritten')
  const running = await runPdpp(['owner', 'restore', file], { dataDir, input })
  expect(running.code).toBe(2)
  await server.stop()

  const other = join(folder, 'deep', 'data')
  const restored = await runPdpp(['owner', 'restore', file, '--json'], { dataDir: other, input })
  expect(restored.stderr).toBe('')
  expect(json(restored.stdout)).toMatchObject({ data_dir: other, created_at: json(done.stdout).created_at })
  expect(readdirSync(other).toSorted()).toEqual(['blobs', 'pdpp.db', 'receipts.db'])
  const second = await startServerProcess({ dataDir: other })
  const after = (await (await fetch(second.url + path, { headers })).json()) as any
  const kept = (page: any) => page.data.map(({ url: _where, ...record }: any) => record)
  expect(kept(after)).toEqual(kept(before))
  const receipts = await runPdpp(['owner', 'receipt', 'list', '--json', '--stream', 'notes'], { dataDir: other })
  expect(json(receipts.stdout).data.length).toBeGreaterThan(1)
}, 120_000)

it('refuses a wrong passphrase, a damaged file and a full directory', async () => {
  const dataDir = temporaryDirectory()
  const folder = temporaryDirectory()
  const file = join(folder, 'backup')
  const nothing = await runPdpp(['owner', 'backup', file], { dataDir, input })
  expect(nothing.code).toBe(5)
  await runPdpp(['owner', 'token'], { dataDir })
  const short = await runPdpp(['owner', 'backup', file], { dataDir, input: 'short\n' })
  expect(short.code).toBe(2)
  expect(existsSync(file)).toBe(false)
  expect((await runPdpp(['owner', 'backup', file], { dataDir, input })).code).toBe(0)

  const target = join(folder, 'target')
  const refused = async (from: string, words: string, typed = input) => {
    const run = await runPdpp(['owner', 'restore', from], { dataDir: target, input: typed })
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toContain(words)
    expect(existsSync(target) ? readdirSync(target) : []).toEqual([])
  }
  await refused(file, 'The passphrase is wrong', 'another passphrase\n')
  const bytes = readFileSync(file)
  writeFileSync(join(folder, 'cut'), bytes.subarray(0, bytes.length - 20))
  await refused(join(folder, 'cut'), 'damaged')
  writeFileSync(join(folder, 'other'), 'a text')
  await refused(join(folder, 'other'), 'not a backup')
  expect((await runPdpp(['owner', 'restore', join(folder, 'no')], { dataDir: target, input })).code).toBe(5)

  const beside = join(folder, 'the restored one')
  const done = await runPdpp(['owner', 'restore', file, '--data-dir', beside], { dataDir, input })
  expect(done.stdout).toContain(`pdpp owner grant list --data-dir '${beside}'\``)

  const full = join(folder, 'full')
  mkdirSync(full)
  writeFileSync(join(full, 'letter.txt'), 'mine')
  const kept = await runPdpp(['owner', 'restore', file], { dataDir: full, input })
  expect(kept.code).toBe(2)
  expect(kept.stderr).toContain('is not empty')
  expect(readdirSync(full)).toEqual(['letter.txt'])
}, 120_000)
