import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CredentialCache } from '@pdpp/mcp-server/client'
import { expect, onTestFinished, test } from 'vitest'
import { newPerson } from './command.ts'

const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 254])

/** A server that serves blobs as the common contract has it (section 8). */
async function blobServer(): Promise<string> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    const known = url.pathname === '/v1/blobs/blob_1' && url.searchParams.get('connection_id') === 'photos'
    if (request.headers.authorization !== 'Bearer pdpp_some-token') response.writeHead(401).end('{}')
    else if (known) response.writeHead(200, { 'content-type': 'image/png', 'content-length': BYTES.length }).end(BYTES)
    else if (url.pathname === '/v1/blobs/blob_torn') {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1000 }).write(BYTES)
      setTimeout(() => response.destroy(), 50)
    } else response.writeHead(404).end(JSON.stringify({ error: { code: 'blob_not_found', message: 'No such blob.' } }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a blob is saved whole or not at all, and never over another file', async () => {
  const me = newPerson()
  const url = await blobServer()
  const credential = { access_token: 'pdpp_some-token', token_type: 'Bearer', expires_at: null, grant_id: 'grt_1' }
  new CredentialCache(me.env['PDPP_CACHE_ROOT']!).save({ provider_url: url, credential })
  const blob = ['read', 'blob', 'blob_1', '--connection', 'photos']
  const file = join(me.home, 'picture.png')
  const saved = await me.run([...blob, '--output', file])
  expect([saved.code, saved.stdout]).toEqual([0, ''])
  expect(saved.stderr).toContain('9 bytes (image/png)')
  expect(readFileSync(file)).toEqual(BYTES)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const again = await me.run([...blob, '--output', file])
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')])
  const facts = JSON.parse((await me.run([...blob, '--json'])).stdout)
  expect(facts).toEqual({ blob_id: 'blob_1', mime_type: 'image/png', size_bytes: 9 })
  const missing = await me.run(['read', 'blob', 'nope', '--output', join(me.home, 'x')])
  expect([missing.code, existsSync(join(me.home, 'x'))]).toEqual([5, false])
  const torn = await me.run(['read', 'blob', 'blob_torn', '--output', join(me.home, 'torn')])
  expect([torn.code === 0, existsSync(join(me.home, 'torn'))]).toEqual([false, false])
})
