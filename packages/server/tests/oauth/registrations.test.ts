// Pages elsewhere and programs on this machine register from the same address: one must not use up the limit of the
// other.
import { expect, test } from 'vitest'
import { send } from '../../../../tests/fixtures/http.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { words } from './consent.fixture.ts'
import { connect, type OAuthServer, oauthServer } from './oauth-flow.ts'

async function registering(server: OAuthServer, origin: string | undefined, count: number) {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) {
    const headers = { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) }
    const body = JSON.stringify({ client_name: 'Claude', redirect_uris: ['https://client.example/back'] })
    statuses.push((await send(server, '/oauth/register', { method: 'POST', headers, body })).status)
  }
  return statuses.filter((status) => status === 201).length
}

verifies('checklist 9', 'pages cannot use up registration; programs keep their share', async () => {
  const server = await oauthServer()
  expect(await registering(server, 'https://evil.example', 40)).toBe(20)
  expect(await registering(server, 'https://agent.example', 1)).toBe(1)
  let together = 21
  for (let n = 0; n < 10; n++) together += await registering(server, `https://evil${n}.example`, 20)
  expect(together).toBe(60)
  expect(await registering(server, undefined, 125)).toBe(120)
})

test('clients that only asked are folded away, below the approved ones', async () => {
  const server = await oauthServer()
  const used = await server.register({ client_name: 'Reader' })
  await connect(server, { clientId: used })
  for (let n = 0; n < 15; n++) await server.register({ client_name: `Nobody ${n}` })
  const page = await server.browser.get('/agents/clients')
  const [open, folded] = page.text.split('<details') as [string, string]
  expect(open).toContain('Reader')
  expect(open).not.toContain('Nobody')
  expect(folded).toContain('Nobody 14')
  expect(folded).not.toContain('Reader')
  expect(folded.match(/Nobody \d/g)).toHaveLength(10)
  const all = await server.browser.get('/agents/clients?unused=1')
  expect(words(all).match(/Nobody \d/g)).toHaveLength(15)
  expect(words(all)).not.toContain('Reader')
})
