// Bodies that are too slow or too large: every route ends them, and tells the client why.
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { MCP_BODY_BYTES } from '@pdpp/protocol'
import { expect } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { mailServer, type TestServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

const SEND_TIME_LIMITS = { headersMs: 400, bodyIdleMs: 400 }
const LARGE = 8_000_000

interface Sent {
  readonly text: string
  readonly ms: number
}

/** Writes the given bytes, then nothing, until the other side closes. */
function raw({ server }: TestServer, head: readonly string[], ...pieces: readonly string[]): Promise<Sent> {
  const { hostname, port } = new URL(server.url)
  const started = performance.now()
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(port), hostname, async () => {
      socket.write(head.join('\r\n'))
      for (const piece of pieces) {
        await sleep(150)
        socket.write(piece)
      }
    })
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (part) => (text += part))
    socket.on('close', () => resolve({ text, ms: performance.now() - started }))
  })
}

/** Every route that takes a body, with the credentials that may use it. */
async function waysIn(test: TestServer): Promise<[path: string, headers: string[]][]> {
  const { token } = await test.grant({ connections: ['home'] })
  const owner = (await test.server.context.tokens.issueOwner('owner_local')).accessToken
  const bearer = (text: string) => `Authorization: Bearer ${text}`
  const json = 'Content-Type: application/json'
  const form = 'Content-Type: application/x-www-form-urlencoded'
  const visitor = await new Browser(test.server).signIn()
  const cookie = `Cookie: ${visitor.cookies()}`
  return [
    ['/mcp', [bearer(token), json, 'Accept: application/json, text/event-stream']],
    ['/connectors', [bearer(owner), json]],
    ['/v1/owner/grants', [bearer(owner), json]],
    ['/v1/ingest/messages?connection_id=home', [bearer(owner)]],
    ['/v1/blobs?connection_id=home&stream=messages&record_key=m1', [bearer(owner)]],
    ['/oauth/token', [form]],
    ['/oauth/register', [json]],
    ['/owner/password', [cookie, form]],
  ]
}

const headOf = (path: string, headers: readonly string[], length: string) => [
  `POST ${path} HTTP/1.1`,
  'Host: 127.0.0.1',
  ...headers,
  length,
  '',
  '',
]

verifies('checklist 19', 'a body that stops coming ends the request on every route', async () => {
  const test = await mailServer({}, { sendTimeLimits: SEND_TIME_LIMITS })
  const { host } = new URL(test.server.url)
  const ended = await Promise.all(
    (await waysIn(test)).map(async ([path, headers]) => {
      const head = headOf(path, headers, 'Content-Length: 100').map((line) =>
        line.replace(/^Host: .*/, `Host: ${host}`),
      )
      const { text, ms } = await raw(test, [...head.slice(0, -1), '{'])
      return [path, text.slice(0, 12), ms < 8000, text.includes('request_stalled')]
    }),
  )
  expect(ended).toEqual((await waysIn(test)).map(([path]) => [path, 'HTTP/1.1 408', true, true]))
  // The same with chunked encoding.
  const [path, headers] = (await waysIn(test))[0]!
  const chunked = headOf(path, headers, 'Transfer-Encoding: chunked').map((line) =>
    line.replace(/^Host: .*/, `Host: ${host}`),
  )
  const { text } = await raw(test, [...chunked.slice(0, -1), '1\r\n{\r\n'])
  expect(text).toMatch(/^HTTP\/1\.1 408[\s\S]*request_stalled/)
})

verifies('checklist 19', 'missing headers end the connection; a slow upload continues', async () => {
  const test = await mailServer({}, { sendTimeLimits: SEND_TIME_LIMITS })
  const { text, ms } = await raw(test, ['GET /v1/schema HTTP/1.1', 'Host: '])
  expect(text).toMatch(/^HTTP\/1\.1 408[\s\S]*request_stalled/)
  expect(ms).toBeLessThan(8000)
  const silent = await raw(test, [''])
  expect(silent.ms).toBeLessThan(8000)
  // The ten pieces together take four times as long as a single one may.
  const owner = (await test.server.context.tokens.issueOwner('owner_local')).accessToken
  const { host } = new URL(test.server.url)
  const line = `${JSON.stringify({ key: 'm1', data: { id: 'm1', subject: 'slow' } })}\n`
  const part = Math.ceil(line.length / 10)
  const pieces = Array.from({ length: 10 }, (_, n) => line.slice(n * part, (n + 1) * part))
  const head = [
    'POST /v1/ingest/messages?connection_id=home HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Bearer ${owner}`,
    `Content-Length: ${line.length}`,
    'Connection: close',
    '',
    '',
  ]
  const long = await raw(test, head, ...pieces)
  expect(long.text).toMatch(/^HTTP\/1\.1 200[\s\S]*"records_accepted":1/)
  expect(long.ms).toBeGreaterThan(1200)
})

/** Sends everything before it reads the answer, like most clients. */
function sendAll(url: string, headers: Record<string, string>, bytes: number, declared: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = declared ? { 'content-length': String(bytes) } : { 'transfer-encoding': 'chunked' }
    const sent = request(url, { method: 'POST', headers: { ...headers, ...length } })
    let status: number | undefined
    sent.on('response', (answer) => {
      status = answer.statusCode
      answer.resume()
    })
    sent.on('error', reject)
    sent.on('close', () => (status === undefined ? reject(new Error('no answer')) : resolve(status)))
    const piece = Buffer.alloc(65_536, 0x20)
    let left = bytes
    const write = () => {
      while (left > 0) {
        const part = piece.subarray(0, Math.min(left, piece.length))
        left -= part.length
        if (!sent.write(part)) return void sent.once('drain', write)
      }
      sent.end()
    }
    write()
  })
}

verifies(
  'checklist 19',
  'a body that is too large gets 413, not a reset',
  async () => {
    expect(LARGE).toBeGreaterThan(MCP_BODY_BYTES)
    const test = await mailServer({ maxBlobBytes: 1_000_000 })
    const ways = (await waysIn(test)).filter(([path]) => !path.startsWith('/v1/ingest'))
    for (const [path, lines] of ways) {
      const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
      const url = test.server.url + path
      const bytes = path === '/connectors' || path.startsWith('/v1/owner') ? 20_000_000 : LARGE
      for (const declared of [true, false])
        for (let round = 0; round < 2; round++)
          expect([path, declared, await sendAll(url, headers, bytes, declared)]).toEqual([path, declared, 413])
      const fetched = await fetch(url, { method: 'POST', headers, body: Buffer.alloc(bytes, 0x20) })
      expect([path, fetched.status]).toEqual([path, 413])
      await fetched.text()
    }
    // A line that is too long ends an ingest in the middle of its body.
    const [path, lines] = (await waysIn(test)).find(([each]) => each.startsWith('/v1/ingest'))!
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
    expect(await sendAll(test.server.url + path, headers, 40_000_000, true)).toBeLessThan(500)
  },
  120_000,
)
