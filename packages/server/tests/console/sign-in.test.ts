import { OWNER } from '@pdpp/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Browser, hiddenFields } from '../../../../tests/fixtures/browser.ts'
import { placeStoreWithPassword } from '../../../../tests/fixtures/empty-store.ts'
import { testServer } from '../../../../tests/fixtures/server.ts'
import { storedTexts } from '../../../../tests/fixtures/stored-data.ts'

const PASSWORD = 'poppy seed and rye'

async function withPassword(config: Parameters<typeof testServer>[0] = {}) {
  const test = await testServer(config)
  expect((await test.owner('PUT', '/v1/owner/password', { password: PASSWORD })).status).toBe(204)
  return test
}

const submit = (visitor: Browser, password: string, fields = {}) =>
  visitor.submit('/owner/sign-in', '/owner/sign-in', { password, ...fields })

it('signs in with a link once; opening the link does not use it up', async () => {
  const test = await testServer()
  const { path } = await test.server.context.signIn.issueLink(OWNER)
  const [first, second] = [new Browser(test.server), new Browser(test.server)]
  for (let n = 0; n < 3; n++) expect((await first.get(path)).text).toContain('Sign in as the owner?')
  expect((await second.get(path)).status).toBe(200)
  const entered = await first.submit(path, path)
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/'])
  expect((await first.get('/')).text).toContain('Start with my own')
  const late = await second.get(path)
  expect([late.status, late.text.includes('already used')]).toEqual([404, true])
  expect((await second.get('/')).headers.get('location')).toBe('/owner/sign-in')
})

it('returns to the requested page after sign-in', async () => {
  const test = await testServer()
  const enter = async (visitor: Browser) => {
    const { path } = await test.server.context.signIn.issueLink(OWNER)
    return (await visitor.submit(path, path)).headers.get('location')
  }
  const visitor = new Browser(test.server)
  expect((await visitor.get('/browse?q=tent')).status).toBe(303)
  expect(await enter(visitor)).toBe('/browse?q=tent')
  // The cookie was for one use.
  expect(visitor.cookie('pdpp_return') ?? '').toBe('')
  const late = async (referer: string) => (await new Browser(test.server).post('/device', {}, { referer })).headers
  expect((await late(`${test.server.url}/device?user_code=B`)).get('location')).toBe(
    `/owner/sign-in?return_to=${encodeURIComponent('/device?user_code=B')}&not_done=1`,
  )
  expect((await late('https://evil.example/device')).get('location')).toBe('/owner/sign-in?not_done=1')
  const planted = new Browser(test.server)
  planted.setCookie('pdpp_return', encodeURIComponent('//evil.example/'))
  expect(await enter(planted)).toBe('/')
})

it('lets one of twenty in who press the button at the same moment', async () => {
  const test = await testServer()
  const { path } = await test.server.context.signIn.issueLink(OWNER)
  const visitors = Array.from({ length: 20 }, () => new Browser(test.server))
  const forms = await Promise.all(visitors.map(async (visitor) => hiddenFields((await visitor.get(path)).text, path)))
  const answers = await Promise.all(visitors.map((visitor, n) => visitor.post(path, forms[n]!)))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(19)
})

it('signs in with the password to a new session each time', async () => {
  const test = await withPassword()
  const visitor = new Browser(test.server, { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/150.0' })
  // The owner does not get a session that an attacker planted.
  visitor.setCookie('pdpp_session', 'A'.repeat(43))
  const answer = await submit(visitor, PASSWORD)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
  const [cookie] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/^pdpp_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  const before = visitor.cookie('pdpp_session')!
  expect(before).not.toBe('A'.repeat(43))
  expect((await visitor.get('/owner/sessions')).text).toContain('Firefox on Linux (this one)')
  expect((await visitor.submit('/settings', '/owner/sign-out')).headers.get('location')).toBe('/owner/sign-in')
  visitor.setCookie('pdpp_session', before)
  expect((await visitor.get('/')).status).toBe(303)
})

it('uses __Host- cookies if the public origin is https', async () => {
  const test = await withPassword({ publicUrl: 'https://data.example.org' })
  const visitor = new Browser(test.server, { host: 'data.example.org', origin: 'https://data.example.org' })
  const [visit] = (await visitor.get('/owner/sign-in')).headers.getSetCookie()
  expect(visit).toMatch(/^__Host-pdpp_visit=[\w-]{22}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const [session] = (await submit(visitor, PASSWORD)).headers.getSetCookie()
  expect(session).toMatch(/^__Host-pdpp_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  // The cookie without the prefix is not accepted instead.
  const plain = new Browser(test.server, { host: 'data.example.org' })
  plain.setCookie('pdpp_session', visitor.cookie('__Host-pdpp_session')!)
  expect([(await plain.get('/')).status, (await visitor.get('/')).status]).toEqual([303, 200])
})

it('gives the same answer for a wrong password and for none', async () => {
  const [set, unset] = [await withPassword(), await testServer()]
  const texts = await Promise.all(
    [set, unset].map(async (test) => {
      const { status, text } = await submit(new Browser(test.server), 'not the password')
      return `${status} ${text.replace(/name="form_token" value="[^"]+"/, '').replace(new URL(test.server.url).host, '')}`
    }),
  )
  expect(texts[0]).toBe(texts[1])
  expect(texts[0]).toMatch(/^403 [\s\S]*That is not the password\./)
})

it('stops guessing after ten attempts from one address', async () => {
  const test = await withPassword({ trustedProxies: ['127.0.0.1'] })
  const from = (address: string) => new Browser(test.server, { 'x-forwarded-for': `1.2.3.4, ${address}` })
  for (let n = 0; n < 10; n++) expect((await submit(from('203.0.113.9'), 'a guess at it')).status).toBe(403)
  const stopped = await submit(from('203.0.113.9'), PASSWORD)
  expect(stopped.status).toBe(429)
  expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(800)
  expect(stopped.text).toContain('pdpp owner login')
  expect((await submit(from('203.0.113.10'), PASSWORD)).status).toBe(303)
  const { path } = await test.server.context.signIn.issueLink(OWNER)
  expect((await from('203.0.113.9').submit(path, path)).status).toBe(303)
})

it('refuses every form without its own token', async () => {
  const test = await withPassword()
  const [visitor, other] = [await new Browser(test.server).signIn(), await new Browser(test.server).signIn()]
  const page = (await visitor.get('/owner/password')).text
  const token = hiddenFields(page, '/owner/password')['form_token']!
  const change = { current: PASSWORD, password: 'another password', again: 'another password' }
  const attempts: [Browser, Record<string, string>, Record<string, string>, number][] = [
    [visitor, change, {}, 403],
    [visitor, { ...change, form_token: 'x'.repeat(43) }, {}, 403],
    [visitor, { ...change, form_token: hiddenFields(page, '/owner/sign-out')['form_token']! }, {}, 403],
    [other, { ...change, form_token: token }, {}, 403],
    [visitor, { ...change, form_token: token }, { origin: 'https://evil.example' }, 403],
    [visitor, { ...change, form_token: token }, { origin: 'null' }, 403],
    [visitor, { ...change, form_token: token }, { 'sec-fetch-site': 'cross-site' }, 403],
    [visitor, { ...change, form_token: token }, { 'sec-fetch-site': 'same-site' }, 403],
    [visitor, { ...change, form_token: token }, { 'content-type': 'text/plain' }, 415],
    [new Browser(test.server), { ...change, form_token: token }, {}, 303],
  ]
  for (const [who, fields, headers, status] of attempts)
    expect([headers, (await who.post('/owner/password', fields, headers)).status]).toEqual([headers, status])
  expect((await submit(new Browser(test.server), PASSWORD)).status).toBe(303)
  const posts = ['/owner/sign-in', '/owner/sign-in/link/abc', '/owner/sign-out', '/owner/sessions/ses_1/end']
  for (const path of posts) expect([path, (await visitor.post(path, {})).status]).toEqual([path, 403])
  expect((await visitor.get('/')).status).toBe(200)
})

it('changes the password only with the current one', async () => {
  const test = await testServer()
  const [visitor, other] = [await new Browser(test.server).signIn(), await new Browser(test.server).signIn()]
  const { path } = await test.server.context.signIn.issueLink(OWNER)
  const change = (fields: Record<string, string>) => visitor.submit('/owner/password', '/owner/password', fields)
  expect((await change({ password: PASSWORD, again: 'another thing' })).text).toContain('are not the same')
  expect((await change({ password: 'short', again: 'short' })).text).toContain('at least 12 characters')
  expect((await change({ password: PASSWORD, again: PASSWORD })).headers.get('location')).toBe(
    '/owner/sessions?done=password',
  )
  expect((await visitor.get('/owner/sessions?done=password')).text).toContain('Your password is set.')
  expect([(await visitor.get('/')).status, (await other.get('/')).status]).toEqual([200, 303])
  expect((await other.get(path)).status).toBe(404)
  const next = { password: 'rye and poppy seed', again: 'rye and poppy seed' }
  expect((await change({ ...next, current: 'wrong password' })).text).toContain('not the current password')
  expect((await change({ ...next, current: PASSWORD })).status).toBe(303)
  expect((await submit(other, PASSWORD)).status).toBe(403)
  expect((await submit(other, 'rye and poppy seed')).status).toBe(303)
})

it('lists sessions and ends one of them at once', async () => {
  const test = await testServer()
  const [visitor, other] = [await new Browser(test.server).signIn(), await new Browser(test.server).signIn()]
  const { text } = await visitor.get('/owner/sessions')
  const [action, ...more] = [...text.matchAll(/action="(\/owner\/sessions\/[^"]+)"/g)].map((match) => match[1]!)
  expect(more).toEqual([])
  const ended = String((await visitor.submit('/owner/sessions', action!)).headers.get('location'))
  expect((await visitor.get(ended)).text).toContain('That browser is signed out.')
  expect([(await visitor.get('/')).status, (await other.get('/')).status]).toEqual([200, 303])
  // The next form of that session is not executed, and the page says so.
  const refused = String((await other.post('/settings/retention', { days: '30' })).headers.get('location'))
  expect((await other.get(refused)).text).toContain('You were signed out, so nothing was saved')
})

it('ends a session after a week unused, and always after a month', async () => {
  const { sessions } = (await testServer()).server.context
  const day = 86_400_000
  const { secret } = await sessions.start(OWNER, 'link', undefined, 0)
  expect(await sessions.find(secret, 7 * day - 1)).toBeDefined()
  expect(await sessions.find(secret, 14 * day - 2)).toBeDefined()
  expect(await sessions.find(secret, 21 * day)).toBeUndefined()
  const { secret: busy } = await sessions.start(OWNER, 'link', undefined, 0)
  for (let n = 1; n < 30; n++) expect(await sessions.find(busy, n * day)).toBeDefined()
  expect(await sessions.find(busy, 30 * day)).toBeUndefined()
})

it('returns to where the visitor wanted to go, on this server only', async () => {
  const test = await withPassword()
  const wanted = '/r/home%2Fmessages%3Am1'
  const visitor = new Browser(test.server)
  const away = (await visitor.get(wanted)).headers.get('location') as string
  expect(away).toBe(`/owner/sign-in?return_to=${encodeURIComponent(wanted)}`)
  const answer = await visitor.submit(away, '/owner/sign-in', { password: PASSWORD }).catch(() => undefined)
  expect(answer?.headers.get('location')).toBe(wanted)
  for (const evil of ['https://evil.example', '//evil.example', '/\\evil.example', '/owner/sign-out']) {
    expect((await submit(new Browser(test.server), PASSWORD, { return_to: evil })).headers.get('location')).toBe('/')
    const page = await new Browser(test.server).get(`/owner/sign-in?return_to=${encodeURIComponent(evil)}`)
    expect(page.text).not.toContain('evil')
  }
})

it('takes the password from PDPP_OWNER_PASSWORD alone if it is set', async () => {
  const test = await testServer({ ownerPassword: PASSWORD })
  expect((await submit(new Browser(test.server), PASSWORD)).status).toBe(303)
  const refused = await test.owner('PUT', '/v1/owner/password', { password: 'some other password' })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'permission_error'])
  const visitor = await new Browser(test.server).signIn()
  expect((await visitor.get('/owner/password')).text).toContain('PDPP_OWNER_PASSWORD')
  await expect(testServer({ ownerPassword: 'too short' })).rejects.toThrow('PDPP_OWNER_PASSWORD cannot be used')
})

it('follows PDPP_OWNER_PASSWORD when it changes between two starts', async () => {
  const fill = (dataDir: string) => placeStoreWithPassword(dataDir, 'the password before')
  const test = await testServer({ ownerPassword: PASSWORD }, {}, { fill })
  expect((await submit(new Browser(test.server), 'the password before')).status).toBe(403)
  expect((await submit(new Browser(test.server), PASSWORD)).status).toBe(303)
})

it('keeps no password or secret in files, answers or logs', async () => {
  const logged = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => logged.mockRestore())
  const test = await withPassword({ log: 'requests' })
  const visitor = new Browser(test.server)
  const answers = [await submit(new Browser(test.server), `${PASSWORD} and more`), await submit(visitor, PASSWORD)]
  const { path } = await test.server.context.signIn.issueLink(OWNER)
  await visitor.get(path)
  const secrets = [PASSWORD, visitor.cookie('pdpp_session')!, path.split('/').at(-1)!]
  answers.push(await visitor.get('/'))
  expect(answers.map(({ status }) => status)).toEqual([403, 303, 200])
  for (const { text } of answers) for (const secret of secrets) expect(text).not.toContain(secret)
  const log = logged.mock.calls.join('\n')
  expect(log).toContain('GET /owner/sign-in/link/:token 200')
  for (const secret of secrets) expect(log).not.toContain(secret)
  const { dataDir } = test.server.context.config
  const stored = await storedTexts(dataDir)
  expect(stored.some(({ text }) => text.includes('password'))).toBe(true)
  for (const { name, text } of stored)
    for (const secret of secrets) expect([name, text.includes(secret)]).toEqual([name, false])
})

it('opens pages for sessions only, and nothing but pages for a session', async () => {
  const test = await testServer()
  const visitor = await new Browser(test.server).signIn()
  for (const path of ['/v1/schema', '/v1/owner/grants', '/v1/owner/receipts'])
    expect((await visitor.get(path)).status).toBe(401)
  const { accessToken } = await test.server.context.tokens.issueOwner(OWNER)
  const bearer = new Browser(test.server, { authorization: `Bearer ${accessToken}` })
  expect((await bearer.get('/')).status).toBe(303)
})
