// Clients of a real server stop downloads early. The server continues, and its log has no stack traces.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Browser, hiddenFields } from '../fixtures/browser.ts'
import { declaration, key, stream, text } from '../fixtures/declaration.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'

const PASSPHRASE = 'seven swans on the lake'
const FRONT = 'pdpp-sealed-1\n'

const papers = declaration('papers', {
  papers: stream({
    id: key(),
    text: text(),
    blob_ref: { type: 'object', properties: { blob_id: text(), sha256: text() } },
  }),
})

interface Taken {
  readonly status: number
  readonly bytes: number
  readonly whole: boolean
}

/** Sends a request and passes its answer on. Resolves with the bytes that were read, or undefined without an answer. */
function take(
  url: string,
  options: { method?: string; headers: Record<string, string>; body?: string },
  watch: (cut: () => void, answer?: IncomingMessage, bytes?: number) => void,
): Promise<Taken | undefined> {
  return new Promise((resolve) => {
    const sent = request(url, { method: options.method ?? 'GET', headers: options.headers, agent: false }, (answer) => {
      let bytes = 0
      answer.on('error', () => {})
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length
        watch(() => sent.destroy(), answer, bytes)
      })
      answer.on('close', () => resolve({ status: answer.statusCode!, bytes, whole: answer.complete }))
    })
    sent.on('error', () => resolve(undefined)).end(options.body)
    watch(() => sent.destroy())
  })
}

it('leaves no trace in the log when a download is given up', async () => {
  const dataDir = temporaryDirectory()
  const server = await startServerProcess({ dataDir })
  const visitor = new Browser(server)
  const link = /http:\S+(\/owner\/sign-in\/link\/\S+)/.exec(server.output())![1]!
  await visitor.submit(link, link)
  const authorization = `Bearer ${(await runPdpp(['owner', 'token'], { dataDir })).stdout.trim()}`
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(server.url + path, { method: 'POST', headers: { authorization }, body })
  const blob = randomBytes(8_000_000)
  const sha256 = createHash('sha256').update(blob).digest('hex')
  await post('/connectors', JSON.stringify(papers))
  await post('/v1/owner/connections', JSON.stringify({ connector_key: 'papers', connection_id: 'papers' }))
  const rows = Array.from({ length: 40 }, (_, n) => ({ id: `p${n}`, text: randomBytes(100_000).toString('hex') }))
  await post(
    '/v1/ingest/papers?connection_id=papers',
    rows.map((data) => JSON.stringify({ key: data.id, data })).join('\n'),
  )
  await post('/v1/blobs?connection_id=papers&stream=papers&record_key=b&json_path=/blob_ref', blob)
  const referring = { id: 'b', text: 'with a file', blob_ref: { blob_id: `blob_${sha256}`, sha256 } }
  await post('/v1/ingest/papers?connection_id=papers', JSON.stringify({ key: 'b', data: referring }))

  const printed = server.output().length
  const download = async (kind: string, watch: Parameters<typeof take>[2]) => {
    const path = `/settings/${kind}`
    // The previous, stopped download ends soon, and then the page has its form again.
    await expect.poll(async () => (await visitor.get(path)).text, { timeout: 15_000 }).toContain(`Download the ${kind}`)
    const fields = { ...hiddenFields((await visitor.get(path)).text, path), passphrase: PASSPHRASE, again: PASSPHRASE }
    const cookie = visitor.cookies()
    const headers = { cookie, accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(fields).toString()
    return take(server.url + path, { method: 'POST', headers, body }, watch)
  }
  const early = (cut: () => void, answer?: IncomingMessage) => void (answer || setTimeout(cut, 30))
  const middle = (cut: () => void, _answer?: IncomingMessage, bytes = 0) => void (bytes > 300_000 && cut())
  for (const kind of ['backup', 'export']) {
    expect(await download(kind, early), kind).toBe(undefined)
    expect(await download(kind, middle), kind).toMatchObject({ status: 200, whole: false })
  }
  const file = `${server.url}/v1/blobs/blob_${sha256}`
  expect(await take(file, { headers: { authorization } }, middle)).toMatchObject({ status: 200, whole: false })
  expect(server.output().slice(printed)).toBe('')

  // If the command that makes the archive dies, the download ends early, and the log has one line about it.
  if (existsSync(`/proc/${server.pid}/task`)) {
    const children = () => readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ')
    let killed = false
    const broken = await download('backup', (_cut, answer, bytes = 0) => {
      if (!answer || killed || bytes < 300_000) return
      killed = true
      for (const pid of children()) process.kill(Number(pid), 'SIGKILL')
    })
    expect(broken).toMatchObject({ status: 200, whole: false })
    await expect
      .poll(() => server.output().slice(printed))
      .toBe('a backup failed half-way: the command ended with SIGKILL\n')
  }
  const whole = await download('backup', () => {})
  expect(whole).toMatchObject({ status: 200, whole: true })
  expect(whole!.bytes).toBeGreaterThan(8_000_000)
  expect(server.output().slice(printed).split('\n').length).toBeLessThan(3)
  await server.stop()
}, 120_000)

it('begins a backup before the copy, and a failed copy is no backup', async () => {
  const dataDir = temporaryDirectory()
  await runPdpp(['owner', 'token'], { dataDir })
  writeFileSync(join(dataDir, 'receipts.db'), 'no database at all')
  const failed = await runPdpp(['owner', 'backup', '-'], { dataDir, input: `${PASSPHRASE}\n` })
  expect(failed.code).not.toBe(0)
  expect(failed.stdout.startsWith(FRONT)).toBe(true)
  expect(failed.stderr).toContain('not a database')
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([])
  const file = join(temporaryDirectory(), 'cut')
  writeFileSync(file, failed.stdout)
  const restored = await runPdpp(['owner', 'restore', file], {
    dataDir: join(dataDir, 'new'),
    input: `${PASSPHRASE}\n`,
  })
  expect([restored.code, restored.stderr]).toEqual([
    2,
    expect.stringContaining('The file is damaged: it ends too early.'),
  ])
})
