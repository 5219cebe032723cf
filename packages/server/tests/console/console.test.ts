import { expect, it } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { mailServer, message, messages, testServer } from '../../../../tests/fixtures/server.ts'
import { isOnPostgres } from '../../../../tests/fixtures/test-store.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

const count = (text: string, part: string) => text.split(part).length - 1
const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)>"'\u202egnp.exe\u200b`

it('shows at home the data, its readers and what needs attention', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', [...messages(30), message(800, { sent_at: '2025-12-05T00:00:00Z' })])
  const { get } = await test.grant({ client_name: 'Trip planner', connections: ['home'] })
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await test.grant({ client_name: 'Budget helper', connections: ['home'], expires_at: soon })
  await get('/v1/streams/messages/records')
  await get('/v1/streams/nothing/records')
  const visitor = await new Browser(test.server).signIn()
  const { status, text } = await visitor.get('/')
  expect(status).toBe(200)
  for (const shown of [
    'You keep <strong>31 items</strong> from <strong>2 sources</strong> here.',
    '<strong>2 agents</strong> can read parts of them. Today they read <strong>once</strong>.',
    'and was refused.',
    'loses its access <time',
    'in 3 days',
    'Trip planner may read Home mail, until you end it.',
    'Dec 2025</th><td class="number">1<',
    'href="/browse?kind=mail"',
  ])
    expect(text, shown).toContain(shown)
})

it('counts every agent that may read, however old its access', async () => {
  const test = await mailServer()
  const soon = new Date(Date.now() + 86_400_000).toISOString()
  const names = ['Oldest', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh']
  for (const name of names) {
    const { get } = await test.grant({ client_name: name, connections: ['home'], expires_at: soon })
    await get('/v1/streams/nothing/records')
  }
  const { grantId } = await test.grant({ client_name: 'Resting', connections: ['home'] })
  await test.owner('POST', `/v1/owner/grants/${grantId}/pause`)
  for (let n = 0; n < 52; n++) {
    const given = await test.grant({ client_name: 'Passing', connections: ['home'] })
    await test.owner('POST', `/v1/owner/grants/${given.grantId}/revoke`)
  }
  const { text } = await (await new Browser(test.server).signIn()).get('/')
  expect(text).toContain('<strong>7 agents</strong> can read')
  expect(text).toContain('You have no password')
  expect(count(text, 'and was refused.')).toBe(4)
  expect(count(text, 'loses its access')).toBe(4)
  expect(text).toContain('And 6 more like these')
  const [who, read] = text.split('>Read today</h2>')
  expect(who!.split('>Who can read</h2>')[1]).toContain('And 4 more.')
  expect(read).toContain('And 3 more.')
})

it('says on an empty server what to do first', async () => {
  const visitor = await new Browser((await testServer()).server).signIn()
  const first = (await visitor.get('/')).text
  expect(first).toContain('Look around with demo data')
  expect(first).not.toContain('<nav')
  const chosen = await visitor.submit('/', '/first-run/own')
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/import'])
  expect((await visitor.get('/')).text).toContain('Nothing is here yet, and nobody can read anything.')
  for (const path of ['/browse', '/import', '/sources', '/agents', '/activity', '/agents/clients'])
    expect([path, (await visitor.get(path)).status]).toEqual([path, 200])
})

verifies('000.1', 'gives one way for each client, without tokens', async () => {
  const test = await testServer()
  const visitor = await new Browser(test.server).signIn()
  const { text } = await visitor.get('/agents/connect')
  for (const name of [
    'Claude',
    'Claude Code',
    'ChatGPT',
    'Codex',
    'Cursor',
    'VS Code',
    'Gemini CLI',
    'Windsurf',
    'Zed',
    'Cline',
    'LM Studio',
    'Goose',
    'OpenCode',
    'Anything else',
  ])
    expect(text, name).toContain(name)
  expect(text).toContain(`claude mcp add --transport http --scope user pdpp ${test.server.url}/mcp`)
  expect(text).toContain("2 agents in the cloud can't reach it")
  expect(text.split('<summary>For programs</summary>')[0]).not.toMatch(/Bearer|access_token|stdio/)
  expect((await visitor.get('/agents/connect?client=chatgpt')).text).toContain('ChatGPT needs a public address.')
  // Claude Desktop starts a program on this computer, so it works without one.
  const desktop = (await visitor.get('/agents/connect?client=claude-desktop')).text
  expect(desktop).toContain(`setup claude-desktop ${test.server.url} --bundle`)
  expect(desktop).not.toContain('Claude Desktop needs')
  const open = await testServer({ publicUrl: 'https://data.example.org' })
  const outside = await new Browser(open.server, { host: 'data.example.org' }).signIn()
  const reachable = (await outside.get('/agents/connect')).text
  expect(reachable).toContain('https://data.example.org/mcp')
  expect(reachable).not.toContain('in the cloud')
})

it('tests itself at its own address, and names the first broken step', async () => {
  const test = await mailServer()
  const visitor = await new Browser(test.server).signIn()
  const { status, headers } = await visitor.submit('/agents/connect', '/agents/connect/test')
  expect([status, headers.get('location')]).toEqual([303, '/agents/connect#test'])
  const { text } = await visitor.get('/agents/connect')
  expect(text).toContain('Everything works')
  expect(text.split('class="badge good">works').length - 1).toBe(8)
  expect((await visitor.get('/settings')).text).toContain('The server reaches itself there.')
  // A name that never resolves (RFC 6761).
  const astray = await testServer({ publicUrl: 'https://data.invalid' })
  const lost = await new Browser(astray.server, { host: 'data.invalid' }).signIn()
  await lost.submit('/settings', '/settings/address')
  const broken = (await lost.get('/agents/connect')).text
  expect(broken).toContain('First broken: <strong>Reachable</strong>')
  expect(broken.split('<span class="badge ">not tried').length - 1).toBe(7)
})

it('shows declarations that were read differently than written', async () => {
  const test = await mailServer()
  const visitor = await new Browser(test.server).signIn()
  expect((await visitor.get('/settings')).text).not.toContain('Declarations')
  const streams = ['a', 'b'].map((name) => ({
    name,
    description: name === 'a' ? 'x'.repeat(20_000) : HOSTILE,
    semantics: 'append',
    schema: { type: 'object', properties: { id: { type: 'string', pattern: HOSTILE } } },
    primary_key: ['id'],
  }))
  const declared = { connector_id: 'https://tests.example/other', version: '1', display_name: HOSTILE, streams }
  expect((await test.owner('POST', '/connectors', declared)).body.warnings).toHaveLength(5)
  const { text } = await visitor.get('/settings')
  expect(text).toContain('<h2>Declarations</h2>')
  expect(text).toContain('streams.1.semantics')
  expect(text).not.toContain('<script>alert')
  // After a declaration without anything to adjust, there is nothing to report.
  const plain = streams.map((stream) => ({
    ...stream,
    description: '',
    semantics: 'append_only',
    schema: { type: 'object', properties: { id: { type: 'string' } } },
  }))
  await test.owner('POST', '/connectors', { ...declared, version: '2', streams: plain })
  expect((await visitor.get('/settings')).text).not.toContain('Declarations')
})

it('shows sign-in, address, retention and disk use on one page', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(20))
  const { text } = await (await new Browser(test.server).signIn()).get('/settings')
  for (const heading of [
    'Signing in',
    'Public address',
    'Backup and export',
    'Activity log',
    'Search index',
    'Storage',
  ])
    expect(text, heading).toContain(`<h2>${heading}</h2>`)
  const files = [...text.matchAll(/<th scope="row"><span[^>]*>([^<]+)<\/span><\/th><td class="number">([^<]+)</g)]
  expect(files.map(([, name]) => name)).toEqual(
    expect.arrayContaining(isOnPostgres() ? ['records', 'receipts'] : ['pdpp.db', 'receipts.db']),
  )
  expect(files.every(([, , size]) => /^[\d.,]+ (bytes|kB|MB)$/.test(size!))).toBe(true)
  expect(text).toContain('href="/owner/password"')
  expect(text).toContain('href="/owner/sessions"')
})

it('keeps receipts as long as is said, and builds the search index again', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(20))
  const visitor = await new Browser(test.server).signIn()
  expect((await visitor.submit('/settings', '/settings/retention', { days: '90' })).status).toBe(303)
  expect((await visitor.get('/settings')).text).toContain('<option value="90" selected>')
  expect((await visitor.submit('/settings', '/settings/retention', { days: '0' })).status).toBe(400)
  expect((await visitor.submit('/settings', '/settings/retention', { days: '' })).status).toBe(303)
  expect((await test.owner('GET', '/v1/owner/settings')).body.receipt_retention_days).toBe(null)
  expect((await visitor.submit('/settings', '/settings/index')).headers.get('location')).toBe(
    '/settings?done=rebuilding',
  )
  await expect.poll(async () => (await visitor.get('/settings')).text).toContain('class="badge good">current')
  expect((await visitor.get('/browse?q=Subject')).text).toContain('20 items')
})

it('renders hostile names inert and bounded on every page of the console', async () => {
  const test = await mailServer()
  const name = HOSTILE.repeat(200)
  await test.owner('PATCH', '/v1/owner/connections/home', { display_name: HOSTILE })
  await test.ingest('messages', 'home', [
    message(1, { subject: name, sender: name, body: `word ${name}` }),
    message(2, { subject: `word ${HOSTILE}`, sent_at: '2025-11-01T00:00:00Z' }),
  ])
  const grant = await test.grant({ client_name: HOSTILE, connections: ['home'], purpose_description: HOSTILE })
  const { body } = await test.owner('GET', `/v1/owner/grants/${grant.grantId}`)
  await grant.get('/v1/streams/messages/records')
  await test.as(grant.token)('GET', '/v1/schema', undefined, { 'request-id': 'req.1' })
  const visitor = await new Browser(test.server).signIn()
  const hostile = encodeURIComponent(HOSTILE)
  const pages = [
    '/',
    '/agents',
    `/agents/grants/${grant.grantId}`,
    '/agents/clients',
    `/agents/clients/${body.grant.client.client_id}`,
    '/activity',
    `/activity?client=${hostile}&stream=${hostile}&grant=${hostile}&done=${hostile}`,
    '/browse',
    '/browse?q=word',
    `/browse?q=${hostile}&since=2026-01-01`,
    '/browse?connection=home&stream=messages',
    `/browse?as=${grant.grantId}&q=word`,
    '/agents/connect',
    '/settings',
  ]
  for (const path of pages) {
    const { status, text: whole } = await visitor.get(path)
    // The value of a form field belongs to the owner and is not a text of the page.
    const text = whole.replace(/ value="[^"]*"/g, '')
    expect([path, status]).toEqual([path, 200])
    expect([path, /<script(?! src="\/assets\/)|<img src=x|\u202e|\u200b|\sstyle=|\son\w+="/.test(text)]).toEqual([
      path,
      false,
    ])
    expect(text.length, path).toBeLessThan(300_000)
  }
})

it('allows scripts of its own only, from files that browsers may keep', async () => {
  const visitor = await new Browser((await testServer()).server).signIn()
  for (const path of ['/browse', '/import', '/activity', '/agents/connect']) {
    const { headers, text } = await visitor.get(path)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'; connect-src 'self'")
    const scripts = [...text.matchAll(/<script src="(\/assets\/\w+\.js\?v=[\w-]+)" defer><\/script>/g)]
    expect(scripts.length).toBe(text.split('<script').length - 1)
    for (const [, script] of scripts) {
      const answer = await visitor.get(script!)
      expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
        'text/javascript; charset=utf-8',
        'public, max-age=31536000, immutable',
      ])
    }
  }
})
