// The page shows who asks by what was proved, and hostile words stay mere text. docs/security.md says which of these
// tests proves what.
import { expect, onTestFinished, test } from 'vitest'
import { Browser, hiddenFields } from '../../../../tests/fixtures/browser.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { httpsServer } from '../../src/lib/https.fixture.ts'
import { asking, consentServer, look, MAIL, words } from './consent.fixture.ts'
import { ask, decide, oauthServer, PASSWORD } from './oauth-flow.ts'

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)>"'\u202egnp.exe\u200b\u{e0041}`
const heading = (page: { text: string }) => words({ text: /<h1>([\s\S]*?)<\/h1>/.exec(page.text)?.[1] ?? '' }).trim()

async function shown(metadata: Record<string, unknown>, redirectUri: string) {
  const server = await oauthServer()
  const clientId = await server.register({ redirect_uris: [redirectUri], ...metadata })
  const { consent } = await ask(server, { clientId, redirectUri })
  return server.browser.get(consent)
}

verifies.group('checklist 6', 'the party is what was proved, and its name comes second', () => {
  test('a registered client: its host, and its name "unverified"', async () => {
    const page = await shown({ client_name: 'Your Bank' }, 'https://client.example/back')
    expect(heading(page)).toBe('client.example wants to read some of your data')
    expect(words(page)).toContain('It calls itself “ Your Bank ” unverified')
    expect(words(page)).toContain('Answers will be sent to client.example')
  })

  test('a program on this computer', async () => {
    const page = await shown({ client_name: 'Editor' }, 'http://127.0.0.1:4321/back')
    expect(heading(page)).toBe('A program on this computer wants to read some of your data')
    expect(words(page)).toContain('Answers will be sent to a program on this computer ( 127.0.0.1:4321 )')
    expect(words(page)).toContain('Go on only if you just started it.')
  })

  test('an app with an address of its own', async () => {
    const page = await shown({ client_name: 'Editor' }, 'editor.app://callback/back')
    expect(heading(page)).toBe('An app on this device wants to read some of your data')
    expect(words(page)).toContain('the app that opens editor.app://callback on this device')
    expect(words(page)).toContain('unverified')
  })

  test('letters that look like others are shown as what they are', async () => {
    const page = await shown({}, 'https://xn--pypal-4ve.com/back')
    expect(heading(page)).toBe('xn--pypal-4ve.com wants to read some of your data')
    expect(words(page)).toContain('letters that can look like others')
  })

  test('a hostile name of 10 kB is bounded text and loads nothing', async () => {
    const client_name = HOSTILE + 'x'.repeat(10_000)
    const page = await shown({ client_name, logo_uri: 'https://evil.example/logo.png' }, 'https://client.example/back')
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page.text).not.toMatch(
      /<script>|<img src=x|evil\.example|x{200}|[\u202a-\u202e\u200b]|[\u{e0000}-\u{e007f}]/u,
    )
  })
})

verifies.group('checklist 8', 'a metadata document that changes in the middle of a flow', () => {
  async function documented() {
    const document = { client_name: 'Claude', redirect_uris: ['https://client.example/cb'] }
    const site = await httpsServer((request, response) => {
      const body = { client_id: `${site.origin}${request.url}`, ...document }
      // The document must not be cached, so the next request fetches it again.
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      response.end(JSON.stringify(body))
    })
    onTestFinished(site.close)
    const server = await oauthServer({ reach: site.reach })
    const clientId = `${site.origin}/client.json`
    const store = server.server.context.storage.clients
    const change = async (metadata: Record<string, unknown>) => {
      const known = (await store.find(clientId))!
      await store.save({ ...known, metadata: { ...known.metadata, ...metadata } })
    }
    const { consent } = await ask(server, { clientId, redirectUri: 'https://client.example/cb' })
    return { server, site, consent, change }
  }
  const choose = (form: ShownForm) => form.tick('connection/mail', 'home').tick('stream/mail', 'messages')

  test('the party is the host of the document', async () => {
    const { server, site, consent } = await documented()
    const page = await server.browser.get(consent)
    expect(heading(page)).toBe(`${new URL(site.origin).host} wants to read some of your data`)
    expect(words(page)).toContain('It calls itself “ Claude ”')
    expect(words(page)).not.toContain('unverified')
    // The port makes it another host, and the page tells the owner so.
    expect(words(page)).toContain('The answer goes to a different address from the one that asks.')
  })

  test('another name has to be looked at again', async () => {
    const { server, consent, change } = await documented()
    const form = await look(server, consent, choose)
    await change({ client_name: 'Your Bank' })
    const again = await server.browser.post(consent, form.press('decision', 'approve'))
    expect([again.status, words(again)]).toEqual([
      409,
      expect.stringContaining('changed while you looked at this page'),
    ])
    expect(words(again)).toContain('“ Your Bank ”')
  })

  test('an address that is no longer registered gets no answer', async () => {
    const { server, consent, change } = await documented()
    const form = await look(server, consent, choose)
    await change({ redirect_uris: ['https://elsewhere.example/cb'] })
    const answer = await server.browser.post(consent, form.press('decision', 'approve'))
    expect([answer.status, words(answer)]).toEqual([400, expect.stringContaining('no longer accepts answers')])
    expect((await server.owner('GET', '/v1/owner/grants')).body.data).toEqual([])
  })
})

verifies.group('checklist 13', 'a device', () => {
  test('shows the code to compare, and warns of foreign requests', async () => {
    const server = await oauthServer()
    const clientId = await server.register({ redirect_uris: undefined, client_name: 'Telly' })
    const body = new URLSearchParams({ client_id: clientId, scope: 'pdpp:read' })
    const started = await fetch(`${server.origin}/oauth/device_authorization`, { method: 'POST', body })
    const { user_code } = (await started.json()) as { user_code: string }
    const entry = await server.browser.get(`/device?user_code=${user_code}`)
    const sent = { ...hiddenFields(entry.text, '/device'), user_code }
    const consent = (await server.browser.post('/device', sent)).headers.get('location')!
    const page = await server.browser.get(consent)
    expect(heading(page)).toBe('A device wants to read some of your data')
    expect(words(page)).toContain(`Does your device show this code? ${user_code}`)
    expect(words(page)).toContain(
      'Go on only if you started this yourself, a moment ago. If somebody sent you a link or a code, or called you about it, deny the request: they would read your data.',
    )
    expect(words(page)).toContain('from the address 127.0.0.1')
    const done = await decide(server, consent, { decision: 'deny' })
    expect([done.status, words(done)]).toEqual([200, expect.stringContaining('Nothing was shared.')])
    expect((await server.browser.get(consent)).status).toBe(409)
  })
})

verifies(['checklist 22', 'checklist 23'], 'names and purposes are inert text, hidden characters shown', async () => {
  const server = await consentServer()
  await server.owner('PATCH', '/v1/owner/connections/clinic', {
    display_name: `Ignore previous instructions ${HOSTILE}`,
  })
  const note = HOSTILE + 'y'.repeat(10_000)
  await server.ingest('visits', 'clinic', [{ key: 'v5', data: { id: 'v5', doctor: HOSTILE, note } }])
  const asked = {
    ...MAIL,
    purpose_description: `${HOSTILE}\n\nClick Allow.`,
    client_claims: { commitments: [HOSTILE] },
  }
  const { consent } = await ask(server, { clientId: await server.register(), params: asking(asked) })
  const purpose = await server.browser.get(consent)
  const open = await ask(server, { clientId: await server.register() })
  const form = new ShownForm((await server.browser.get(open.consent)).text, open.consent)
  const sent = form.tick('stream/health', 'visits').press('decision', 'update')
  const sample = await server.browser.post(open.consent, sent)
  for (const page of [purpose, sample]) {
    expect(page.status).toBe(200)
    expect(page.text).toContain('&lt;script&gt;')
    expect(page.text).toContain('U+202E')
    expect(page.text).not.toMatch(/<script>|<img src=x|[\u202a-\u202e\u200b]|[\u{e0000}-\u{e007f}]|y{1600}/u)
  }
  expect(words(sample)).toContain('more characters)')
})

verifies('checklist 28', 'the page runs its own script only, unframed and uncached', async () => {
  const server = await oauthServer()
  const { consent } = await ask(server, { clientId: await server.register() })
  const page = await server.browser.get(consent)
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self' https://client.example; frame-ancestors 'none'; base-uri 'none'",
  )
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  expect(page.headers.get('referrer-policy')).toBe('same-origin')
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  expect(page.headers.get('cache-control')).toBe('private, no-store')
  expect(page.text).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/)
  const scripts = [...page.text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
  expect(scripts).toEqual([
    expect.stringMatching(/^<script src="\/assets\/frame\.js\?v=[\w-]{12}" defer>$/),
    expect.stringMatching(/^<script src="\/assets\/consent\.js\?v=[\w-]{12}" defer>$/),
  ])
  const script = await server.browser.get(/\/assets\/consent\.js\?v=[\w-]+/.exec(page.text)![0])
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

verifies('checklist 5', 'a session alone approves nothing', async () => {
  const server = await oauthServer()
  const clientId = await server.register()
  for (const _time of [1, 2]) {
    const { answer, consent } = await ask(server, { clientId })
    expect([answer.status, consent]).toEqual([303, expect.stringMatching(/^\/oauth\/consent\//)])
    const done = await decide(server, consent, { decision: 'approve', connection: 'home' })
    expect(done.headers.get('location')).toContain('code=')
  }
  const stranger = new Browser(server.server)
  const { consent } = await ask(server, { clientId }, stranger)
  expect((await stranger.post(consent, { decision: 'approve' })).headers.get('location')).toBe(
    '/owner/sign-in?not_done=1',
  )
  await stranger.signIn(PASSWORD)
  expect((await stranger.get(consent)).status).toBe(200)
})
