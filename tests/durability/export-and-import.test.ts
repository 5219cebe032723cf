import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readTar } from '../../packages/cli/src/archive/tar.ts'
import { copyDemo } from '../fixtures/demo-data.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'

const json = (text: string) => JSON.parse(text)

async function filesIn(archive: string): Promise<Map<string, string>> {
  async function* once() {
    yield gunzipSync(readFileSync(archive))
  }
  const found = new Map<string, string>()
  for await (const { name, bytes } of readTar(once())) {
    const pieces: Uint8Array[] = []
    for await (const piece of bytes) pieces.push(piece)
    found.set(name, Buffer.concat(pieces).toString('utf8'))
  }
  return found
}

const data = (files: Map<string, string>) =>
  [...files].filter(([name]) => /^(sources\/|connections\.jsonl|records\/)/.test(name))

it('exports all data without secrets and imports the same again', async () => {
  const dataDir = temporaryDirectory()
  const folder = temporaryDirectory()
  const file = join(folder, 'first.tar.gz')
  await copyDemo(dataDir)
  const words = ['owner', 'grant', 'create', '--client', 'A', '--connection', 'notes', '--json']
  const made = json((await runPdpp(words, { dataDir })).stdout)
  const server = await startServerProcess({ dataDir })
  const headers = { authorization: `Bearer ${made.access_token}` }
  expect((await fetch(`${server.url}/v1/streams/notes/records?limit=3`, { headers })).status).toBe(200)
  const done = await runPdpp(['owner', 'export', file, '--json'], { dataDir })
  expect(done.stderr).toBe('')
  await server.stop()

  const first = await filesIn(file)
  const manifest = json(first.get('manifest.json')!)
  expect(manifest.files.map(({ name }: any) => name)).toEqual([...first.keys()].slice(0, -1))
  const notes = first.get('records/notes/notes.jsonl')!.trim().split('\n')
  expect(manifest.files.find(({ name }: any) => name === 'records/notes/notes.jsonl').rows).toBe(notes.length)
  expect(Object.keys(json(notes[0]!))).toEqual(['key', 'emitted_at', 'data'])
  expect(json(first.get('grants.jsonl')!.split('\n')[0]!).grant_id).toBe(made.grant_id)
  expect(json(first.get('receipts.jsonl')!.split('\n')[0]!)).toMatchObject({ record_count: 3, stream: 'notes' })
  const everything = [...first.values()].join('')
  expect(everything).not.toContain(made.access_token)
  expect(everything).not.toMatch(/argon2|"hash"|access_token|password_hash/)
  expect((await runPdpp(['owner', 'export', file], { dataDir })).code).toBe(2)

  const plain = gunzipSync(readFileSync(file))
  plain.write('{"Key"', plain.indexOf('{"key"'))
  writeFileSync(join(folder, 'changed.tar.gz'), gzipSync(plain))
  const fresh = join(folder, 'data')
  const changed = await runPdpp(['owner', 'import', join(folder, 'changed.tar.gz')], { dataDir: fresh })
  expect(changed.code).toBe(2)
  expect(changed.stderr).toMatch(/records\/.* is missing or was changed/)
  expect(existsSync(fresh)).toBe(false)

  const taken = await runPdpp(['owner', 'import', file, '--json'], { dataDir: fresh })
  expect(taken.stderr).toBe('')
  expect(json(taken.stdout)).toMatchObject({ connections: 9, records: json(done.stdout).records, rejected: 0 })
  const again = await runPdpp(['owner', 'import', file, '--json'], { dataDir: fresh })
  expect(json(again.stdout).unchanged).toBe(json(done.stdout).records)
  const second = join(folder, 'second.tar.gz')
  expect((await runPdpp(['owner', 'export', second], { dataDir: fresh })).code).toBe(0)
  expect(data(await filesIn(second))).toEqual(data(first))
}, 180_000)

it('imports nothing of an archive that was changed or cut off', async () => {
  const folder = temporaryDirectory()
  const dataDir = join(folder, 'data')
  await runPdpp(['owner', 'token'], { dataDir })
  const file = join(folder, 'export.tar.gz')
  expect((await runPdpp(['owner', 'export', file], { dataDir })).code).toBe(0)
  const target = join(folder, 'target')
  const refused = async (bytes: Uint8Array, says: string) => {
    writeFileSync(join(folder, 'other'), bytes)
    const run = await runPdpp(['owner', 'import', join(folder, 'other')], { dataDir: target })
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toContain(says)
    expect(existsSync(target)).toBe(false)
  }
  const bytes = readFileSync(file)
  await refused(bytes.subarray(0, bytes.length - 30), 'unreadable')
  await refused(Buffer.from('a text'), 'unreadable')
  await refused(gzipSync(Buffer.alloc(1024)), 'not a pdpp export')
  const plain = gunzipSync(bytes)
  const forged = Buffer.from(plain)
  forged.write('pdpp-exporT', plain.indexOf('pdpp-export'))
  await refused(gzipSync(forged), 'not a pdpp export')
  expect((await runPdpp(['owner', 'export', join(folder, 'x')], { dataDir: target })).code).toBe(5)
}, 120_000)
