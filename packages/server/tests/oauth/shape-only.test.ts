// Before the owner decides, requests for existing and for missing data look the same from outside (point 35).
import { expect, test, vi } from 'vitest'
import { hiddenFields } from '../../../../tests/fixtures/browser.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { consentServer, MAIL, words } from './consent.fixture.ts'
import { ask, decide, type OAuthServer, pkce, tokenRequest } from './oauth-flow.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

/** Names of the same length, so that the pairs differ only in whether the data exists. */
const PAIRS: readonly [string, object, object][] = [
  ['a source', {}, { source: { kind: 'connector', id: 'https://tests.example/bank' } }],
  [
    'a sensitive source',
    { source: { id: 'https://tests.example/health' } },
    { source: { id: 'https://tests.example/stocks' } },
  ],
  ['a kind of source', {}, { source: { kind: 'collector', id: 'https://tests.example/mail' } }],
  ['a stream', {}, { streams: [{ name: 'massages' }] }],
  [
    'a field',
    { streams: [{ name: 'messages', fields: ['subject'] }] },
    { streams: [{ name: 'messages', fields: ['salarie'] }] },
  ],
  [
    'an account',
    { streams: [{ name: 'messages', instance_ids: ['home'] }] },
    { streams: [{ name: 'messages', instance_ids: ['bank'] }] },
  ],
  ['a view', { streams: [{ name: 'messages', view: 'none' }] }, { streams: [{ name: 'messages', view: 'also' }] }],
  ['a preset', { streams: [{ name: '*' }] }, { streams: undefined, selection_preset: 'p' }],
  [
    'a time',
    { streams: [{ name: 'messages', time_range: { since: '2026-01-01' } }] },
    { streams: [{ name: 'labels', time_range: { since: '2026-01-01' } }] },
  ],
]

interface Door {
  readonly name: string
  knock(server: OAuthServer, clientId: string, details: unknown): Promise<Response>
}

const post = (
  server: OAuthServer,
  path: string,
  body: string | URLSearchParams,
  headers: Record<string, string> = {},
) => fetch(`${server.origin}${path}`, { method: 'POST', body, headers, redirect: 'manual' })

const authorization = (clientId: string, details: unknown) =>
  new URLSearchParams({
    client_id: clientId,
    redirect_uri: 'https://client.example/back',
    response_type: 'code',
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
    authorization_details: JSON.stringify([details]),
  })

const DOORS: readonly Door[] = [
  {
    name: '/oauth/authorize',
    knock: (server, clientId, details) =>
      fetch(`${server.origin}/oauth/authorize?${authorization(clientId, details)}`, { redirect: 'manual' }),
  },
  {
    name: '/oauth/par, a form',
    knock: (server, clientId, details) => post(server, '/oauth/par', authorization(clientId, details)),
  },
  {
    name: '/oauth/par, JSON',
    knock: (server, clientId, details) =>
      post(server, '/oauth/par', JSON.stringify({ client_id: clientId, authorization_details: [details] }), JSON_TYPE),
  },
  {
    name: '/agent-connect',
    knock: async (server, clientId, details) => {
      const staged = { client_id: clientId, authorization_details: [details] }
      const pushed = await post(server, '/oauth/par', JSON.stringify(staged), JSON_TYPE)
      const { request_uri = 'urn:pdpp:pending-consent:none' } = (await pushed.json()) as { request_uri?: string }
      return post(server, '/agent-connect', JSON.stringify({ client_id: clientId, request_uri }), JSON_TYPE)
    },
  },
  {
    name: '/oauth/device_authorization',
    knock: (server, clientId, details) => {
      const form = { client_id: clientId, authorization_details: JSON.stringify([details]) }
      return post(server, '/oauth/device_authorization', new URLSearchParams(form))
    },
  },
]

/** Everything that can be seen from outside, with every random value replaced by its length. */
async function seen(response: Response) {
  const masked = (text: string) =>
    text
      .replace(/req_\w+/g, 'req')
      // Before the next line, because a long random value may contain something like a short code.
      .replace(/[\w-]{21,}/g, (random) => `<${random.length}>`)
      .replace(/[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/g, 'code')
      .replace(/(expires=)[^;]+/gi, '$1')
  const headers = [...response.headers]
    .filter(([name]) => name !== 'date')
    .map(([name, value]) => `${name}: ${masked(value)}`)
  return { status: response.status, headers, body: masked(await response.text()) }
}

verifies.group(['checklist 5', 'point 35'], 'asked for what is here and for what is not', () => {
  test('every door answers the same, and reads nothing of what the owner has', async () => {
    const server = await consentServer()
    const { storage } = server.server.context
    const looks = [
      vi.spyOn(storage.sources, 'list'),
      vi.spyOn(storage.sources, 'find'),
      vi.spyOn(storage.connections, 'list'),
      vi.spyOn(storage.connections, 'find'),
    ]
    const clientId = await server.register()
    for (const { name, knock } of DOORS) {
      for (const [what, here, absent] of PAIRS) {
        const [first, second] = [
          await seen(await knock(server, clientId, { ...MAIL, ...here })),
          await seen(await knock(server, clientId, { ...MAIL, ...absent })),
        ]
        expect([name, what, second]).toEqual([name, what, first])
        expect([name, what, first.status < 400]).toEqual([name, what, true])
      }
    }
    expect(looks.map((spy) => spy.mock.calls)).toEqual([[], [], [], []])
  })

  test('a wrong shape is refused at once, also the same for both', async () => {
    const server = await consentServer()
    const clientId = await server.register()
    for (const { name, knock } of DOORS.filter((door) => !['/oauth/authorize', '/agent-connect'].includes(door.name))) {
      for (const streams of [[{ name: 'messages', limit: 1 }], [{ name: 'massages', limit: 1 }]]) {
        const response = await knock(server, clientId, { ...MAIL, streams })
        const { error } = (await response.json()) as { error: string }
        expect([name, response.status, error]).toEqual([name, 400, 'invalid_authorization_details'])
      }
    }
  })
})

verifies.group(['checklist 5', 'point 35'], 'what the client hears afterwards', () => {
  test('if nothing of it is here, only a denial is possible', async () => {
    const server = await consentServer()
    const clientId = await server.register()
    const params = {
      authorization_details: JSON.stringify([
        { ...MAIL, source: { kind: 'connector', id: 'https://tests.example/bank' } },
      ]),
    }
    const { consent } = await ask(server, { clientId, params })
    const page = await server.browser.get(consent)
    expect(words(page)).toContain('Nothing that it asked for is here')
    expect(words(page)).toContain('The source https://tests.example/bank')
    const sent = new ShownForm(page.text, consent).press('decision', 'approve')
    expect((await server.browser.post(consent, sent)).status).toBe(400)
    const denied = (await decide(server, consent, { decision: 'deny' })).headers.get('location')!
    const other = await ask(server, { clientId, params: { authorization_details: JSON.stringify([MAIL]) } })
    expect((await decide(server, other.consent, { decision: 'deny' })).headers.get('location')).toBe(denied)
  })

  test('if some of it is here, the client gets what was granted', async () => {
    const server = await consentServer()
    const clientId = await server.register({ redirect_uris: undefined })
    const streams = [{ name: 'massages' }, { name: 'messages', fields: ['subject', 'salaries'] }]
    const started = await post(
      server,
      '/oauth/device_authorization',
      new URLSearchParams({ client_id: clientId, authorization_details: JSON.stringify([{ ...MAIL, streams }]) }),
    )
    const { device_code, user_code } = (await started.json()) as Record<string, string>
    const device = await server.browser.get('/device')
    const fields = { ...hiddenFields(device.text, '/device'), user_code: user_code! }
    const consent = (await server.browser.post('/device', fields)).headers.get('location')!
    const page = words(await server.browser.get(consent))
    expect(page).toContain('the stream &quot;massages&quot;')
    expect(page).toContain('the field &quot;salaries&quot; of &quot;messages&quot;')
    await decide(server, consent, { decision: 'approve' })
    const { body } = await tokenRequest(server, { grant_type: DEVICE, client_id: clientId, device_code: device_code! })
    expect(body.authorization_details[0].streams.map((one: any) => [one.name, one.fields])).toEqual([
      ['messages', ['id', 'subject', 'sent_at']],
    ])
    expect(JSON.stringify(body)).not.toMatch(/massages|salaries/)
  })
})
