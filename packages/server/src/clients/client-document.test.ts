import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { httpsServer } from '../lib/https.fixture.ts'
import { ClientDocumentFetcher, isDocumentAddress } from './client-document.ts'

const accepted = [
  'https://claude.ai/oauth/mcp-oauth-client-metadata',
  'https://opencode.ai/oauth/opencode/client.json',
  'https://client.example:8443/c?v=2',
]
const refused = [
  'https://client.example',
  'https://client.example/',
  'https://client.example/a/../b',
  'https://client.example/a/./b',
  'https://client.example/a/%2e%2e/b',
  'https://client.example/c#x',
  'https://user@client.example/c',
  'https://client.example:443/c',
  'https://CLIENT.example/c',
  'http://client.example/c',
  'https://client.example\\c',
  'https://client.example/c d',
  `https://client.example/${'c'.repeat(500)}`,
  'cli_123',
]

verifies.group('checklist 7', 'addresses of client metadata documents', () => {
  test.each(accepted)('%s is one', (id) => expect(isDocumentAddress(id)).toBe(true))
  test.each(refused)('%s is none', (id) => expect(isDocumentAddress(id)).toBe(false))
})

async function documents(make: (clientId: string) => unknown) {
  const log: string[] = []
  const server = await httpsServer((request, response) => {
    const body = make(`https://client.example:${server.port}${request.url}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  onTestFinished(server.close)
  const fetcher = new ClientDocumentFetcher({ reach: server.reach, log: (line) => log.push(line) })
  return { fetcher, log, clientId: `${server.origin}/client.json`, server }
}

const good = (clientId: string) => ({ client_id: clientId, redirect_uris: ['https://client.example/back'] })

verifies('checklist 7', 'a document that says who it is is used', async () => {
  const { fetcher, clientId } = await documents((id) => ({ ...good(id), client_name: 'Example', unknown: 1 }))
  const { metadata, freshForSeconds } = await fetcher.fetch(clientId)
  expect(metadata).toMatchObject({ client_name: 'Example', redirect_uris: ['https://client.example/back'] })
  expect(freshForSeconds).toBe(3600)
})

verifies.each('checklist 7', [
  ['another client_id', (id: string) => ({ ...good(id), client_id: `${id}x` })],
  ['no client_id', () => ({ redirect_uris: ['https://client.example/back'] })],
  ['a secret', (id: string) => ({ ...good(id), client_secret: 'x' })],
  ['a secret method', (id: string) => ({ ...good(id), token_endpoint_auth_method: 'client_secret_basic' })],
  ['a method we do not offer', (id: string) => ({ ...good(id), token_endpoint_auth_method: 'private_key_jwt' })],
  ['no usable redirect URI', (id: string) => ({ client_id: id, grant_types: ['implicit'], redirect_uris: [7] })],
  ['a list', () => []],
])('a document with %s is refused, and the asker learns nothing of why', async (_name, make) => {
  const { fetcher, clientId, log } = await documents(make)
  const refusal = { code: 'invalid_client', message: 'The metadata document of this client could not be used.' }
  await expect(fetcher.fetch(clientId)).rejects.toMatchObject(refusal)
  expect(log).toHaveLength(1)
})

verifies('checklist 7', 'one host is not asked without end', async () => {
  const { fetcher, clientId, server } = await documents(() => ({}))
  for (let n = 0; n < 30; n++) await fetcher.fetch(clientId).catch(() => {})
  expect(server.requests).toHaveLength(20)
})
