import { expect, test } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { mailServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { ask, decide, type OAuthServer, PASSWORD, tokenRequest } from './oauth-flow.ts'

test('the flow works behind a proxy with https', async () => {
  const origin = 'https://data.example'
  const test = await mailServer({ ownerPassword: PASSWORD, publicUrl: origin })
  const browser = new Browser(test.server, { origin })
  await browser.signIn(PASSWORD)
  const metadata = await test.as(undefined)('GET', '/.well-known/oauth-authorization-server')
  const addresses = Object.entries(metadata.body).filter(([name]) => name === 'issuer' || name.endsWith('_endpoint'))
  expect(addresses.length).toBeGreaterThan(8)
  for (const [, value] of addresses) expect(String(value)).toMatch(/^https:\/\/data\.example(\/|$)/)

  const client = { redirect_uris: ['https://client.example/back'] }
  const json = { 'content-type': 'application/json' }
  const { body } = await test.as(undefined)('POST', '/oauth/register', client, json)
  const server: OAuthServer = { ...test, origin: test.server.url, browser, register: async () => body.client_id }
  const { consent, verifier, answer } = await ask(server, {
    clientId: body.client_id,
    params: { resource: `${origin}/v1` },
  })
  const cookies = answer.headers.getSetCookie()
  expect(cookies.length).toBeGreaterThan(1)
  for (const cookie of cookies) expect(cookie).toMatch(/^__Secure-.*; secure; httponly/i)
  const decided = await decide(server, consent, { decision: 'approve', connection: 'home' })
  const target = new URL(decided.headers.get('location')!)
  expect(target.searchParams.get('iss')).toBe(origin)
  const issued = await tokenRequest(server, {
    grant_type: 'authorization_code',
    client_id: body.client_id,
    code: target.searchParams.get('code')!,
    code_verifier: verifier,
    redirect_uri: 'https://client.example/back',
  })
  expect(issued.status).toBe(200)
  const device = await fetch(`${server.origin}/oauth/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: body.client_id, scope: 'pdpp:read' }),
  })
  expect(await device.json()).toMatchObject({ verification_uri: `${origin}/device` })
})

verifies('checklist 9', 'a household of IPv6 addresses registers as one', async () => {
  const { as } = await mailServer({ trustedProxies: ['127.0.0.1'] })
  const register = async (address: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
    return (await as(undefined)('POST', '/oauth/register', {}, headers)).status
  }
  const statuses: number[] = []
  for (let n = 1; n <= 121; n++) statuses.push(await register(`2001:db8:1:2::${n.toString(16)}`))
  expect([statuses.indexOf(429), await register('2001:db8:1:3::1')]).toEqual([120, 201])
})
