// Imports files of a mailbox and reads them back, with the commands that people type.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'

const json = (text: string) => JSON.parse(text)
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const blobsIn = (dataDir: string) =>
  existsSync(join(dataDir, 'blobs'))
    ? readdirSync(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .toSorted()
    : []

const PLAN = randomBytes(200_000)
const LOGO = randomBytes(900)

/** Every mail has the same logo. The first one also has a plan. */
function mailbox(): string {
  const part = (name: string, type: string, bytes: Buffer) => {
    const lines = bytes.toString('base64').replace(/(.{76})/g, '$1\n')
    return `--B\nContent-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${lines}\n`
  }
  const mail = (n: number, parts: string) =>
    `From a@b Fri Feb 07 03:33:20 2025\nFrom: Ana <ana@fisk.example>\nSubject: Plan ${n}\nDate: Fri, 07 Feb 2025 19:21:04 +0200\nMessage-ID: <m${n}@fisk.example>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: text/plain\n\nSee the files.\n${parts}--B--\n\n`
  const logo = part('logo.png', 'image/png', LOGO)
  return mail(1, part('plan.pdf', 'application/pdf', PLAN) + logo) + mail(2, logo) + mail(3, logo)
}

it('keeps the files of a mailbox through every copy and erase', async () => {
  const dataDir = temporaryDirectory()
  const folder = temporaryDirectory()
  const box = join(folder, 'Inbox.mbox')
  writeFileSync(box, mailbox())
  const server = await startServerProcess({ dataDir })
  const imported = async () => json((await runPdpp(['import', box, '--yes', '--json'], { dataDir })).stdout).imports[0]
  const first = await imported()
  expect(first.blobs).toEqual({ sent: 2, bytes: PLAN.length + LOGO.length, unchanged: 2 })
  expect(blobsIn(dataDir)).toEqual([sha(PLAN), sha(LOGO)].toSorted())
  const again = await imported()
  expect([again.blobs, again.streams.map((stream: any) => stream.unchanged)]).toEqual([
    { sent: 0, bytes: 0, unchanged: 4 },
    [3, 4],
  ])

  const grant = ['owner', 'grant', 'create', '--client', 'A', '--connection', 'mailbox', '--json']
  const { access_token: token } = json((await runPdpp(grant, { dataDir })).stdout)
  const headers = { authorization: `Bearer ${token}` }
  const read = async (url: string, sha256: string) => {
    const answer = await fetch(`${url}/v1/blobs/blob_${sha256}`, { headers })
    return answer.ok ? sha(new Uint8Array(await answer.arrayBuffer())) : answer.status
  }
  const expanded = await fetch(`${server.url}/v1/streams/messages/records/m1@fisk.example?expand=attachments`, {
    headers,
  })
  const files = ((await expanded.json()) as any).expanded.attachments.data.toSorted(
    (a: any, b: any) => b.data.size_bytes - a.data.size_bytes,
  )
  expect(files.map(({ data }: any) => [data.filename, data.blob_ref.sha256])).toEqual([
    ['plan.pdf', sha(PLAN)],
    ['logo.png', sha(LOGO)],
  ])
  const fetched = await fetch(server.url + files[0].data.blob_ref.fetch_url, { headers })
  expect([fetched.headers.get('content-type'), fetched.headers.get('content-disposition')]).toEqual([
    'application/pdf',
    'inline; filename="plan.pdf"',
  ])
  expect(sha(new Uint8Array(await fetched.arrayBuffer()))).toBe(sha(PLAN))

  const archive = join(folder, 'all.tar.gz')
  expect(json((await runPdpp(['owner', 'export', archive, '--json'], { dataDir })).stdout).blobs).toBe(2)
  const input = 'correct horse battery staple\n'
  const sealed = join(folder, 'all.backup')
  expect((await runPdpp(['owner', 'backup', sealed], { dataDir, input })).code).toBe(0)
  expect(readFileSync(sealed).includes(LOGO.subarray(100, 200))).toBe(false)

  // One mail has the plan, and three have the logo.
  const erase = (words: string[]) => runPdpp(['owner', 'erase', ...words, '--yes'], { dataDir })
  expect((await erase(['mailbox/attachments:m1@fisk.example%2F1'])).code).toBe(0)
  expect([blobsIn(dataDir), await read(server.url, sha(PLAN))]).toEqual([[sha(LOGO)], 404])
  expect((await erase(['mailbox/attachments:m1@fisk.example%2F2'])).code).toBe(0)
  expect(await read(server.url, sha(LOGO))).toBe(sha(LOGO))
  expect((await erase(['--connection', 'mailbox'])).code).toBe(0)
  expect(blobsIn(dataDir)).toEqual([])
  await server.stop()

  const restored = join(folder, 'restored')
  expect((await runPdpp(['owner', 'restore', sealed], { dataDir: restored, input })).code).toBe(0)
  expect(blobsIn(restored)).toHaveLength(2)
  const second = await startServerProcess({ dataDir: restored })
  expect([await read(second.url, sha(PLAN)), await read(second.url, sha(LOGO))]).toEqual([sha(PLAN), sha(LOGO)])
  await second.stop()

  const moved = join(folder, 'moved')
  const took = await runPdpp(['owner', 'import', archive, '--json'], { dataDir: moved })
  expect(json(took.stdout)).toMatchObject({ blobs: 2, records: 7, rejected: 0 })
  expect(blobsIn(moved)).toHaveLength(2)
  const twice = await runPdpp(['owner', 'import', archive, '--json'], { dataDir: moved })
  expect(json(twice.stdout)).toMatchObject({ blobs: 2, unchanged: 7 })
}, 120_000)

it('a file that is too large or cut off leaves nothing half', async () => {
  const dataDir = temporaryDirectory()
  const folder = temporaryDirectory()
  const box = join(folder, 'Inbox.mbox')
  writeFileSync(box, mailbox())
  const take = async (env: Record<string, string>) =>
    json((await runPdpp(['import', box, '--yes', '--json'], { dataDir, env })).stdout).imports[0]
  const limited = await take({ PDPP_BLOB_MAX_BYTES: '1000' })
  expect([limited.blobs.sent, limited.problems]).toEqual([
    1,
    [expect.objectContaining({ imported: true, reason: expect.stringContaining('at most 1000 bytes') })],
  ])
  const all = await take({})
  expect([all.blobs.sent, all.problems, all.streams[1]]).toMatchObject([1, [], { new: 0, changed: 1, unchanged: 3 }])
  const { stdout } = await runPdpp(['owner', 'token'], { dataDir })
  const server = await startServerProcess({ dataDir })
  const target = '/v1/blobs?connection_id=mailbox&stream=attachments&record_key=new'
  const half = connect(Number(new URL(server.url).port), '127.0.0.1')
  half.on('error', () => {})
  half.write(
    `POST ${target} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nAuthorization: Bearer ${stdout.trim()}\r\nContent-Length: 1000000\r\n\r\n`,
  )
  half.write(randomBytes(500_000))
  while (blobsIn(dataDir).length < 3) await sleep(20)
  await server.kill()
  expect(blobsIn(dataDir)).toHaveLength(3)
  writeFileSync(
    join(dataDir, 'blobs', sha(PLAN).slice(0, 2), `${sha(PLAN).slice(0, 2)}${'0'.repeat(62)}`),
    'left by a removal that was cut off',
  )
  const next = await startServerProcess({ dataDir })
  expect(blobsIn(dataDir)).toEqual([sha(PLAN), sha(LOGO)].toSorted())
  const whole = await fetch(next.url + target, {
    method: 'POST',
    headers: { authorization: `Bearer ${stdout.trim()}` },
    body: randomBytes(1_000_000),
  })
  expect(whole.status).toBe(200)
}, 120_000)
