// The stdio adapter as a host starts it, with a server whose own address differs from the one it is reached at.
import { join } from 'node:path'
import { CredentialCache } from '@pdpp/mcp-server'
import { expect, onTestFinished } from 'vitest'
import { connectAgent } from '../../conformance/adapter/fixtures/agent.ts'
import { cachedCredential } from '../../conformance/adapter/fixtures/cached-credential.ts'
import { verifies } from '../fixtures/verifies.ts'
import { startAdapter } from './adapter-server.ts'
import { smallSource } from './small-data.ts'

verifies(
  'point 25',
  'every tool cites a record by the address that the server gives it',
  async () => {
    const { server, url, dataDir, token, close } = await startAdapter([smallSource], {
      publicUrl: 'http://localhost:7662',
    })
    onTestFinished(close)
    expect(new URL(url).hostname).toBe('127.0.0.1')
    const access = { id: 'grt_small', token }
    const cacheRoot = join(dataDir, 'cache')
    new CredentialCache(cacheRoot).save(cachedCredential(url, access))
    const agent = await connectAgent('stdio 2026-07-28', { server, proxy: { url }, cacheRoot, dataDir }, access)
    onTestFinished(() => agent.close())
    const { structured } = await agent.use('search', { query: 'lighthouse' })
    const [hit] = structured.results
    expect(hit.url).toBe(`http://localhost:7662/r/${encodeURIComponent(hit.id)}`)
    expect((await agent.use('fetch', { id: hit.id })).structured.url).toBe(hit.url)
  },
  60_000,
)
