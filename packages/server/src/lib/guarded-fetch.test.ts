import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { fetchJson, PUBLIC_INTERNET } from './guarded-fetch.ts'
import { httpsServer } from './https.fixture.ts'

const LIMITS = { timeoutMs: 700, maxBytes: 5120 }
const json = { 'content-type': 'application/json' }

async function server(answer: (response: ServerResponse, path: string) => void) {
  const running = await httpsServer((request, response) => answer(response, request.url ?? ''))
  onTestFinished(running.close)
  return running
}

verifies.group('checklist 7', 'fetching a document from an untrusted URL', () => {
  test('reads the JSON and its max-age', async () => {
    const { origin, reach } = await server((response) =>
      response.writeHead(200, { ...json, 'cache-control': 'public, max-age=120' }).end('{"a":1}'),
    )
    expect(await fetchJson(new URL(`${origin}/doc?x=1`), LIMITS, reach)).toEqual({ body: { a: 1 }, maxAgeSeconds: 120 })
  })

  test('sends nothing if any address of the host is not allowed', async () => {
    const { origin, reach, requests } = await server((response) => response.writeHead(200, json).end('{}'))
    for (const addresses of [['127.0.0.1', '10.0.0.1'], ['::1'], []]) {
      const other = { ...reach, resolve: async () => addresses }
      await expect(fetchJson(new URL(`${origin}/doc`), LIMITS, other)).rejects.toThrow(/public internet/)
    }
    expect(requests).toEqual([])
  })

  test('tries the next address if one cannot be reached', async () => {
    const { origin, reach } = await server((response) => response.writeHead(200, json).end('{}'))
    const several = { ...reach, resolve: async () => ['127.0.0.9', '127.0.0.1'], isAllowed: () => true }
    expect((await fetchJson(new URL(`${origin}/doc`), LIMITS, several)).body).toEqual({})
  })

  test('resolves the name once and connects to the checked address', async () => {
    const { origin, reach, requests } = await server((response) => response.writeHead(200, json).end('{}'))
    let lookups = 0
    const flipping = { ...reach, resolve: async () => [lookups++ === 0 ? '127.0.0.1' : '127.0.0.9'] }
    await fetchJson(new URL(`${origin}/doc`), LIMITS, flipping)
    expect([lookups, requests]).toEqual([1, ['/doc']])
  })

  test.each([
    'https://127.0.0.1/doc',
    'https://2130706433/doc',
    'https://0x7f.1/doc',
    'https://0177.0.0.1/doc',
    'https://[::1]/doc',
    'https://[::ffff:127.0.0.1]/doc',
    'https://169.254.169.254/latest/meta-data',
    'http://example.com/doc',
  ])('refuses %s', async (url) => {
    await expect(fetchJson(new URL(url), LIMITS, PUBLIC_INTERNET)).rejects.toThrow(/public internet|not https/)
  })

  test('follows no redirect', async () => {
    const { origin, reach, requests } = await server((response) =>
      response.writeHead(302, { location: `/elsewhere` }).end(),
    )
    await expect(fetchJson(new URL(`${origin}/doc`), LIMITS, reach)).rejects.toThrow('answered 302')
    expect(requests).toEqual(['/doc'])
  })

  test('stops a slow response at the deadline, in head and body', async () => {
    const head = await server(() => {})
    const body = await server((response) => {
      response.writeHead(200, json).write('{"a":"')
      const drip = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(drip))
    })
    for (const { origin, reach } of [head, body]) {
      const started = Date.now()
      await expect(fetchJson(new URL(`${origin}/doc`), LIMITS, reach)).rejects.toThrow()
      expect(Date.now() - started).toBeLessThan(3000)
    }
  })

  test('stops at the deadline if the name never resolves', async () => {
    const reach = { resolve: () => new Promise<string[]>(() => {}), isAllowed: () => true }
    await expect(fetchJson(new URL('https://client.example/doc'), LIMITS, reach)).rejects.toThrow('timed out')
  })

  test('stops reading a large body, with or without Content-Length', async () => {
    let written = 0
    const { origin, reach } = await server((response, path) => {
      const total = 10 * 1024 * 1024
      response.writeHead(200, path === '/stated' ? { ...json, 'content-length': total } : json)
      const chunk = Buffer.alloc(65_536, 32)
      const more = () => {
        while (written < total && !response.destroyed) {
          written += chunk.length
          if (!response.write(chunk)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    for (const path of ['/stated', '/unstated']) {
      written = 0
      await expect(fetchJson(new URL(origin + path), LIMITS, reach)).rejects.toThrow('too long')
      expect(written).toBeLessThan(8 * 1024 * 1024)
    }
  })

  test('refuses a compressed body', async () => {
    const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024, 32))
    const { origin, reach } = await server((response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
    )
    await expect(fetchJson(new URL(`${origin}/doc`), LIMITS, reach)).rejects.toThrow('compressed')
  })

  test.each(['text/html', 'text/html; x=application/json', 'application/jsonp', ''])(
    'refuses the content type %j',
    async (type) => {
      const { origin, reach } = await server((response) => response.writeHead(200, { 'content-type': type }).end('{}'))
      await expect(fetchJson(new URL(`${origin}/doc`), LIMITS, reach)).rejects.toThrow('not JSON')
    },
  )

  test('refuses a certificate for another name', async () => {
    const { port, reach } = await server((response) => response.writeHead(200, json).end('{}'))
    await expect(fetchJson(new URL(`https://evil.example:${port}/doc`), LIMITS, reach)).rejects.toThrow(/altname/i)
  })
})
