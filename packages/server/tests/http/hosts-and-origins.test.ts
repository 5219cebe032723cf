import { describe, expect, it } from 'vitest'
import { send } from '../../../../tests/fixtures/http.ts'
import { mailServer, message, testServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

const METADATA = '/.well-known/oauth-protected-resource'
const PROXY = { trustedProxies: ['127.0.0.1'] }
const ROUTES = ['/', METADATA, '/v1/schema', '/owner/sign-in', '/r/x', '/icon.svg', '/nowhere', '/v1/owner/grants']

it('answers 421 to every other host, on every route', async () => {
  const test = await testServer({ trustedHosts: ['nas.example', '*.tail.example', 'odd.example:8443'] })
  for (const path of ROUTES) {
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'tail.example', 'localhost.evil.example:7662']) {
      const { status, text } = await send(test, path, { headers: { host, 'pdpp-version': 'wrong' } })
      expect([path, host, status, JSON.parse(text).error.code]).toEqual([path, host, 421, 'misdirected_request'])
    }
    // A text that cannot be a host is refused earlier.
    for (const host of ['localhost@evil.example', 'a/b'])
      expect([path, host, (await send(test, path, { headers: { host } })).status]).toEqual([path, host, 400])
  }
  const { port } = new URL(test.server.url)
  for (const host of [
    'localhost',
    `127.0.0.1:${port}`,
    '[::1]:99',
    'NAS.example',
    'nas.example:1',
    'my.tail.example',
    'odd.example:8443',
  ])
    expect([host, (await send(test, METADATA, { headers: { host } })).status]).toEqual([host, 200])
  expect((await send(test, METADATA, { headers: { host: 'odd.example' } })).status).toBe(421)
})

it('answers 403 to pages of other origins, null included', async () => {
  const test = await testServer({ publicUrl: 'https://data.example.org' })
  const { host } = new URL(test.server.url)
  const token = { authorization: `Bearer ${(await test.server.context.tokens.issueOwner('owner_local')).accessToken}` }
  const other = [
    'https://evil.example',
    'null',
    'http://data.example.org',
    'https://data.example.org.evil.example',
    'http://127.0.0.1:1',
  ]
  for (const origin of other) {
    for (const [method, path] of [
      ['GET', '/v1/schema'],
      ['POST', '/v1/owner/connections'],
      ['POST', '/owner/sign-in'],
      ['PUT', '/v1/owner/password'],
    ]) {
      const { status, text } = await send(test, path!, { method: method!, headers: { ...token, origin, host } })
      expect([origin, path, status, JSON.parse(text).error.code]).toEqual([origin, path, 403, 'origin_not_allowed'])
    }
  }
  for (const origin of ['https://data.example.org', `http://${host}`])
    expect((await send(test, '/v1/schema', { headers: { ...token, origin, host } })).status).toBe(200)
})

verifies('checklist 14', 'Host and Origin are checked first on every route', async () => {
  const test = await testServer({ publicUrl: 'https://data.example.org' })
  const own = new URL(test.server.url).host
  const owner = `Bearer ${(await test.server.context.tokens.issueOwner('owner_local')).accessToken}`
  const routes = test.server.app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, 'x') }))
  const surfaces = ['/v1/search', '/v1/owner/grants', '/mcp', '/oauth/token', '/oauth/consent/x', '/owner/sign-in', '/']
  expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(surfaces))
  for (const { method, path } of [...routes, { method: 'GET', path: '/nowhere' }, { method: 'DELETE', path: '/mcp' }]) {
    const asked = async (headers: Record<string, string>) => {
      const { status, text } = await send(test, path, { method, headers: { authorization: owner, ...headers } })
      return [method, path, status, text.startsWith('{') ? JSON.parse(text).error?.code : undefined]
    }
    for (const host of ['evil.example', `evil.example:${new URL(test.server.url).port}`])
      expect(await asked({ host })).toEqual([method, path, 421, 'misdirected_request'])
    // Documents about the server are open to everybody. Registration and tokens are open to every web page. With a
    // token of another client, nothing else is.
    const open = path.startsWith('/.well-known/')
    const flow = /^\/oauth\/(register|token|revoke)$/.test(path)
    for (const origin of ['https://evil.example', 'null', 'http://data.example.org']) {
      if (flow && origin === 'https://evil.example') {
        const { authorization: _owner, ...headers } = { authorization: owner, host: own, origin }
        const answer = await send(test, path, { method, headers })
        expect([path, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([path, 400, '*'])
        expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
        continue
      }
      const answer = await asked({ host: own, origin })
      if (open) expect(answer).toEqual([method, path, 200, undefined])
      else expect(answer).toEqual([method, path, 403, 'origin_not_allowed'])
    }
  }
})

verifies(['checklist 14', 'point 36'], "a page elsewhere without a token gets only the agents' challenge", async () => {
  const test = await testServer({ publicUrl: 'https://data.example.org' })
  const own = new URL(test.server.url).host
  const routes = test.server.app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, 'x') }))
  const challenged = new Set<string>()
  for (const { method, path } of [...routes, { method: 'GET', path: '/nowhere' }]) {
    const asked = async (headers: Record<string, string>) => {
      const { status, headers: told } = await send(test, path, { method, headers: { host: own, ...headers } })
      return { status, cors: told.get('access-control-allow-origin'), challenge: told.get('www-authenticate'), told }
    }
    if (path.startsWith('/.well-known/') || /^\/oauth\/(register|token|revoke)$/.test(path)) continue
    for (const origin of ['https://agent.example', 'http://localhost:6274', 'http://127.0.0.1:1']) {
      // A foreign host is refused first, with any origin.
      expect([path, (await asked({ origin, host: 'evil.example' })).status]).toEqual([path, 421])
      const { status, cors, challenge, told } = await asked({ origin })
      expect(told.has('access-control-allow-credentials')).toBe(false)
      expect(told.has('set-cookie')).toBe(false)
      if (status === 403) expect([path, cors]).toEqual([path, null])
      else {
        challenged.add(`${method} ${path}`)
        expect([path, status, cors]).toEqual([path, 401, '*'])
        expect(challenge).toContain('resource_metadata=')
        expect(told.get('access-control-expose-headers')).toContain('WWW-Authenticate')
      }
    }
    for (const origin of [
      'null',
      'http://agent.example',
      'chrome-extension://abcdefgh',
      'file://',
      'https://agent.example/',
    ])
      expect([method, path, origin, (await asked({ origin })).status]).toEqual([method, path, origin, 403])
  }
  expect([...challenged].sort()).toEqual(
    [
      'GET /v1/blobs/x',
      'GET /v1/connectors',
      'GET /v1/schema',
      'GET /v1/search',
      'GET /v1/search/hybrid',
      'GET /v1/search/semantic',
      'GET /v1/streams',
      'GET /v1/streams/x',
      'GET /v1/streams/x/aggregate',
      'GET /v1/streams/x/records',
      'GET /v1/streams/x/records/x',
      'GET /v1/streams/x/records/x/field-window',
      'POST /mcp',
      'POST /mcp/developer',
    ].sort(),
  )
})

it('lets any page read what this server is', async () => {
  const test = await testServer()
  const { status, headers } = await send(test, METADATA, { headers: { origin: 'https://elsewhere.example' } })
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  // A custom header makes the browser send a preflight request.
  const asked = await send(test, METADATA, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'mcp-protocol-version',
    },
  })
  expect([asked.status, asked.headers.get('access-control-allow-headers')]).toEqual([204, 'mcp-protocol-version'])
})

it('answers the preflight of exactly what a page elsewhere may call', async () => {
  const test = await testServer({ publicUrl: 'https://data.example.org' })
  const { host } = new URL(test.server.url)
  const preflight = async (method: string, path: string, origin = 'https://elsewhere.example') => {
    const asked = { 'access-control-request-method': method, 'access-control-request-headers': 'authorization' }
    const { status, headers } = await send(test, path, { method: 'OPTIONS', headers: { host, origin, ...asked } })
    return [status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]
  }
  for (const [method, path] of [
    ['POST', '/mcp'],
    ['DELETE', '/mcp'],
    ['POST', '/mcp/developer'],
    ['GET', '/v1/schema'],
    ['GET', '/v1/streams/notes/records/x'],
    ['POST', '/oauth/register'],
    ['POST', '/oauth/token'],
    ['POST', '/oauth/revoke'],
  ] as const) {
    expect([path, await preflight(method, path)]).toEqual([path, [204, '*', null]])
    expect([path, await preflight(method, path, 'http://localhost:6274')]).toEqual([path, [204, '*', null]])
    for (const origin of ['null', 'http://elsewhere.example', 'https://elsewhere.example/', 'file://'])
      expect([path, origin, await preflight(method, path, origin)]).toEqual([path, origin, [403, null, null]])
  }
  for (const [method, path] of [
    ['DELETE', '/v1/streams/notes/records'],
    ['POST', '/v1/ingest/notes'],
    ['GET', '/v1/owner/grants'],
    ['GET', '/v1/state/notes'],
    ['POST', '/introspect'],
    ['POST', '/oauth/device_authorization'],
    ['GET', '/oauth/authorize'],
    ['POST', '/oauth/consent/x'],
    ['POST', '/agent-connect'],
    ['POST', '/owner/sign-in'],
    ['GET', '/settings'],
    ['POST', '/settings/backup'],
    ['POST', '/connectors'],
  ] as const)
    expect([path, await preflight(method, path)]).toEqual([path, [403, null, null]])
  const { headers } = await send(test, '/v1/schema', { headers: { host, origin: 'https://elsewhere.example' } })
  expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  expect(headers.get('www-authenticate')).toContain('resource_metadata=')
})

describe('the origin that clients are told', () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'data.example.org' }

  verifies('003.9.3', 'is that of the trusted proxy in front', async () => {
    const test = await mailServer({ ...PROXY, trustedHosts: ['data.example.org'] })
    const { text } = await send(test, METADATA, { headers: forwarded })
    expect(JSON.parse(text)).toMatchObject({
      resource: 'https://data.example.org',
      pdpp_core_query_base: 'https://data.example.org/v1',
    })
    const refused = await send(test, '/v1/schema', { headers: forwarded })
    const url = `https://data.example.org${METADATA}`
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${url}"`)
    expect(refused.headers.get('strict-transport-security')).toBe('max-age=31536000')
    await test.ingest('messages', 'home', [message(1)])
    const { body } = await test.owner('GET', '/v1/streams/messages/records?connection_id=home', undefined, forwarded)
    expect(body.data[0].url).toBe('https://data.example.org/r/home%2Fmessages%3Am1')
  })

  verifies('003.9.3', 'never comes from a header that somebody else sent', async () => {
    const test = await testServer({ trustedProxies: ['10.0.0.0/8'], trustedHosts: ['data.example.org'] })
    const { text, headers } = await send(test, METADATA, { headers: forwarded })
    expect(JSON.parse(text).resource).toBe(test.server.url)
    expect(headers.get('strict-transport-security')).toBeNull()
  })

  verifies('003.9.3', 'is never a host that is not ours, even if a header names it', async () => {
    const test = await testServer({ ...PROXY, trustedHosts: ['data.example.org'] })
    const evil = { ...forwarded, 'x-forwarded-host': 'evil.example' }
    expect((await send(test, METADATA, { headers: evil })).status).toBe(421)
    // The proxy appended its own value. The values before it came from the client.
    const spoofed = { ...forwarded, 'x-forwarded-host': 'evil.example, data.example.org' }
    expect(JSON.parse((await send(test, METADATA, { headers: spoofed })).text).resource).toBe(
      'https://data.example.org',
    )
  })

  it('is PDPP_PUBLIC_URL, or else the address that was used', async () => {
    const fixed = await testServer({ ...PROXY, publicUrl: 'https://data.example.org', trustedHosts: ['b.example'] })
    const other = { 'x-forwarded-host': 'b.example', 'x-forwarded-proto': 'http' }
    expect(JSON.parse((await send(fixed, METADATA, { headers: other })).text).resource).toBe('https://data.example.org')
    const plain = await testServer()
    const host = `localhost:${new URL(plain.server.url).port}`
    expect(JSON.parse((await send(plain, METADATA, { headers: { host } })).text).resource).toBe(`http://${host}`)
  })
})
