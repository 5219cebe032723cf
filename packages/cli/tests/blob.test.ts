// `pdpp read blob` against the real server, over connections that break.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CredentialCache } from '@pdpp/mcp-server/client'
import { OWNER, type RunningServer, startServer } from '@pdpp/server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { declaration, key, stream, text } from '../../../tests/fixtures/declaration.ts'
import { storeConfig } from '../../../tests/fixtures/test-store.ts'
import { verifies } from '../../../tests/fixtures/verifies.ts'
import { newPerson, type Person } from './command.ts'

const LARGE = randomBytes(3_000_000)
const idOf = (bytes: Uint8Array) => `blob_${createHash('sha256').update(bytes).digest('hex')}`
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 254])
const DECLARATION = declaration('photos', {
  photos: stream({
    id: key(),
    caption: text(),
    file: {
      type: 'object',
      properties: { blob_id: { type: 'string' }, sha256: { type: 'string' } },
      x_pdpp_text_field: 'caption',
    },
  }),
})

const dataDir = mkdtempSync(join(tmpdir(), 'pdpp-cli-blob-'))
let server: RunningServer
let owner: (method: string, path: string, body?: string | Uint8Array) => Promise<any>

beforeAll(async () => {
  server = await startServer(await storeConfig(dataDir))
  const { accessToken } = await server.context.tokens.issueOwner(OWNER)
  owner = async (method, path, body) => {
    const headers = { authorization: `Bearer ${accessToken}` }
    const response = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  await owner('POST', '/connectors', JSON.stringify(DECLARATION))
  for (const connection of ['photos', 'other'])
    await owner('POST', '/v1/owner/connections', JSON.stringify({ connector_key: 'photos', connection_id: connection }))
  for (const [id, bytes] of Object.entries({ picture: PICTURE, large: LARGE })) {
    const target = `connection_id=photos&stream=photos&record_key=${id}`
    const { blob_id, sha256 } = await owner('POST', `/v1/blobs?${target}&mime_type=image/png`, bytes)
    const data = { id, caption: `A picture of ${id}`, file: { blob_id, sha256, mime_type: 'image/png' } }
    await owner('POST', '/v1/ingest/photos?connection_id=photos', JSON.stringify({ data }))
  }
})
afterAll(async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function connectedPerson(url = server.url): Promise<Person> {
  const me = newPerson()
  const body = JSON.stringify({ client_name: 'Test client', connections: ['photos'] })
  const made = await owner('POST', '/v1/owner/grants', body)
  const credential = {
    access_token: made.access_token,
    token_type: 'Bearer',
    expires_at: null,
    grant_id: made.grant_id,
  }
  new CredentialCache(me.env['PDPP_CACHE_ROOT']!).save({ provider_url: url, credential })
  return me
}

/** Breaks the connection once, after this number of bytes of answers. Later connections work. */
async function breakingLine(after: number): Promise<string> {
  let left = after
  const line = createServer((caller) => {
    const there = connect(Number(new URL(server.url).port), '127.0.0.1')
    caller.pipe(there)
    there.on('data', (chunk) => {
      left -= chunk.length
      if (left > 0 || after === 0) return void caller.write(chunk)
      after = 0
      caller.destroy()
      there.destroy()
    })
    for (const [one, other] of [[caller, there] as const, [there, caller] as const])
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  await new Promise<void>((done) => line.listen(0, '127.0.0.1', done))
  onTestFinished(() => void line.close())
  return `http://127.0.0.1:${(line.address() as AddressInfo).port}`
}

test('a blob is saved, never over another file, or piped as it is', async () => {
  const me = await connectedPerson()
  const blob = ['read', 'blob', idOf(PICTURE), '--connection', 'photos']
  const file = join(me.home, 'picture.png')
  const saved = await me.run([...blob, '--output', file])
  expect([saved.code, saved.stdout]).toEqual([0, ''])
  expect(saved.stderr).toContain('9 bytes (image/png)')
  expect(readFileSync(file)).toEqual(PICTURE)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const again = await me.run([...blob, '--output', file])
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists')])
  const facts = JSON.parse((await me.run([...blob, '--json'])).stdout)
  expect(facts).toEqual({ blob_id: idOf(PICTURE), mime_type: 'image/png', size_bytes: 9 })
  const piped = await me.run(blob)
  expect([piped.code, Buffer.from(piped.stdout)]).toEqual([0, Buffer.from(PICTURE.toString('utf8'))])
  const missing = await me.run(['read', 'blob', idOf(Buffer.from('x')), '--output', join(me.home, 'x')])
  expect([missing.code, existsSync(join(me.home, 'x')), existsSync(join(me.home, 'x.part'))]).toEqual([5, false, false])
  expect(missing.stderr).toContain('There is no such blob')
  const elsewhere = await me.run(['read', 'blob', idOf(PICTURE), '--connection', 'other', '--json'])
  expect(elsewhere.code).toBe(5)
})

verifies('001.4.1', 'a file field says what it is, its text, and how to save it', async () => {
  const me = await connectedPerson()
  const { stderr } = await me.run(['read', 'field', 'photos/photos:picture', 'file'])
  expect(stderr).toContain('image/png')
  const whole = await me.run(['read', 'record', 'photos/photos:picture'])
  expect(whole.stdout).toMatch(new RegExp(`^file +image/png, ${idOf(PICTURE)}$`, 'm'))
  expect(whole.stderr).toContain(`Save a file: pdpp read blob ${idOf(PICTURE)} --connection photos --output file`)
  expect(stderr).toContain('Read its text: pdpp read field photos/photos:picture caption')
  expect(stderr).toContain(`Get it: pdpp read blob ${idOf(PICTURE)} --connection photos --output file`)
})

test('an interrupted download continues where it ended', async () => {
  const me = await connectedPerson(await breakingLine(2_000_000))
  const file = join(me.home, 'large.bin')
  const save = ['read', 'blob', idOf(LARGE), '--output', file]
  const torn = await me.run(save)
  expect([torn.code, existsSync(file)]).toEqual([6, false])
  expect(torn.stderr).toMatch(/broke after [\d,]+ of 3,000,000 bytes/)
  const have = statSync(`${file}.part`).size
  expect(have).toBeGreaterThan(100_000)
  expect((await me.run(save)).code).toBe(0)
  expect(readFileSync(file).equals(LARGE)).toBe(true)
  expect(existsSync(`${file}.part`)).toBe(false)
  const { data } = await owner('GET', '/v1/owner/receipts?limit=1')
  expect(data[0]).toMatchObject({ operation: 'blob', surface: 'cli', bytes: LARGE.length - have })
})

test('a partial file of another blob is not continued', async () => {
  const me = await connectedPerson()
  const file = join(me.home, 'mixed.bin')
  const save = ['read', 'blob', idOf(LARGE), '--output', file]
  writeFileSync(`${file}.part`, 'something else')
  const mixed = await me.run(save)
  expect([mixed.code, existsSync(file), existsSync(`${file}.part`)]).toEqual([1, false, false])
  expect((await me.run(save)).code).toBe(0)
  // All bytes are there, but the file does not have its final name yet.
  const whole = join(me.home, 'whole.bin')
  writeFileSync(`${whole}.part`, LARGE)
  expect((await me.run(['read', 'blob', idOf(LARGE), '--output', whole])).code).toBe(0)
  expect(readFileSync(whole).equals(LARGE)).toBe(true)
})
