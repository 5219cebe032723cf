import { expect, it } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { send } from '../../../../tests/fixtures/http.ts'
import { mailServer, message, testServer } from '../../../../tests/fixtures/server.ts'

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)>"'\u202egnp.exe\u200b`
const record = (key: string) => `/r/${encodeURIComponent(`home/messages:${key}`)}`

it('sends every page with headers that forbid what pages do not need', async () => {
  const test = await testServer({ publicUrl: 'https://data.example.org' })
  const visitor = await new Browser(test.server, { host: 'data.example.org' }).signIn()
  for (const path of ['/', '/owner/sessions', '/owner/password', '/owner/sign-in/link/x', '/nowhere', '/r/nothing']) {
    const { headers, text } = await visitor.get(path)
    expect([path, Object.fromEntries(headers)]).toEqual([
      path,
      expect.objectContaining({
        'content-type': 'text/html; charset=UTF-8',
        'content-security-policy':
          "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'strict-transport-security': 'max-age=31536000',
        'cache-control': 'private, no-store',
      }),
    ])
    // The policy would block them, so none of our pages may need them.
    const own = text.replaceAll(/<script src="\/assets\/\w+\.js\?v=[\w-]+" defer><\/script>/g, '')
    expect(own).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:|https?:\/\//)
  }
})

it('serves its own stylesheet and icon, to be kept', async () => {
  const test = await testServer()
  const { text } = await send(test, '/owner/sign-in')
  const path = /href="(\/assets\/pages\.css\?v=[\w-]+)"/.exec(text)![1]!
  const style = await send(test, path)
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const icon = await send(test, '/icon.svg')
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(text).toContain('<link rel="icon" href="/icon.svg" type="image/svg+xml">')
})

it('shows browsers a page and programs JSON', async () => {
  const test = await testServer()
  const get = async (path: string, accept: string) => {
    const { status, headers, text } = await send(test, path, { headers: { accept } })
    return [status, String(headers.get('content-type')).split(';')[0], text] as const
  }
  expect((await get('/', '*/*'))[2]).toContain('pdpp_discovery_index')
  expect((await get('/', 'text/html,*/*'))[0]).toBe(303)
  expect((await get('/nowhere', 'text/html')).slice(0, 2)).toEqual([404, 'text/html'])
  expect((await get('/nowhere', 'application/json')).slice(0, 2)).toEqual([404, 'application/json'])
  expect((await get('/v1/nowhere', 'text/html')).slice(0, 2)).toEqual([404, 'application/json'])
  expect((await get('/v1/schema', 'text/html')).slice(0, 2)).toEqual([401, 'application/json'])
})

it('says what to do next in the words of the page', async () => {
  const test = await testServer()
  const at = async (accept: string) => (await send(test, '/nowhere', { headers: { accept } })).text
  expect(await at('text/html')).toContain('Go back, or start at Home.')
  expect(await at('text/html')).not.toContain('GET /')
  expect(JSON.parse(await at('application/json')).error.next_step).toBe('GET / lists where to start.')
})

it('shows a record to its owner with all of its fields', async () => {
  const test = await mailServer()
  const long = 'word '.repeat(10_000)
  await test.ingest('messages', 'home', [message(1, { body: long, headers: { to: ['Hazel'] }, size: 1200 })])
  const { data } = (await test.owner('GET', '/v1/streams/messages/records?connection_id=home')).body
  expect(data[0].url).toBe(`${test.server.url}${record('m1')}`)
  const [hit] = (await test.owner('GET', '/v1/search?q=Subject')).body.data
  expect(hit.url).toBe(data[0].url)
  const visitor = await new Browser(test.server).signIn()
  const { status, text } = await visitor.get(record('m1'))
  expect(status).toBe(200)
  for (const shown of [
    'Subject 1</span></h1>',
    'Home mail',
    '1 January 2026 at 01:00 UTC',
    '1200',
    'Hazel',
    'home/messages:m1',
    '30,000 more characters',
  ])
    expect(text, shown).toContain(shown)
  expect(text).toContain('GET /v1/streams/messages/records/m1?connection_id=home')
  expect(text.length).toBeLessThan(200_000)
  expect((await new Browser(test.server).get(record('m1'))).status).toBe(303)
})

it('finds records of every key by their url', async () => {
  const test = await mailServer()
  const keys = ['a/b', 'a%2Fb', '..x', 'mailto:x?y#z', '北京 ☂', "it's", '%']
  await test.ingest(
    'messages',
    'home',
    keys.map((key) => ({ key, data: { id: key, subject: `Key ${key}` } })),
  )
  const { data } = (await test.owner('GET', '/v1/streams/messages/records?connection_id=home')).body
  const visitor = await new Browser(test.server).signIn()
  expect(data).toHaveLength(keys.length)
  for (const { url } of data)
    expect([url, (await visitor.get(url.slice(test.server.url.length))).status]).toEqual([url, 200])
  for (const [path, status] of [
    [record('none'), 404],
    ['/r/nonsense', 400],
    [`/r/${encodeURIComponent('gone/messages:x')}`, 404],
  ])
    expect([path, (await visitor.get(path as string)).status]).toEqual([path, status])
})

it('renders hostile text inert and bounded wherever it comes from', async () => {
  const test = await mailServer()
  const name = HOSTILE.repeat(200)
  await test.owner('PATCH', '/v1/owner/connections/home', { display_name: HOSTILE })
  await test.ingest('messages', 'home', [
    message(1, {
      subject: name,
      sender: name,
      body: HOSTILE,
      headers: { [name]: HOSTILE },
      photo: '"><script>alert(1)</script>',
    }),
  ])
  const visitor = await new Browser(test.server).signIn()
  for (const path of ['/', record('m1'), `/r/${encodeURIComponent(HOSTILE)}`, `/${encodeURIComponent(HOSTILE)}`]) {
    const { text } = await visitor.get(path)
    expect([path, /<script(?! src="\/assets\/)|<img src=x|\u202e|\u200b/.test(text)]).toEqual([path, false])
    expect(text.length).toBeLessThan(300_000)
  }
  const { text } = await visitor.get(record('m1'))
  expect(text).toContain('<span class="sign">U+202E</span>gnp.exe<span class="sign">U+200B</span>')
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
})

it('shows pictures that cannot run anything, and only those', async () => {
  const test = await mailServer()
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await test.ingest('messages', 'home', [message(1, { photo: png }), message(2, { photo: '"onerror="' })])
  const visitor = await new Browser(test.server).signIn()
  expect((await visitor.get(record('m1'))).text).toContain(`<img src="data:image/png;base64,${png}"`)
  const file = await visitor.get(`${record('m1')}/file?field=photo`)
  expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
    200,
    'application/octet-stream',
    'attachment; filename="photo"',
  ])
  expect(file.headers.get('content-length')).toBe(String(Buffer.from(png, 'base64').length))
  expect((await visitor.get(`${record('m1')}/file?field=subject`)).status).toBe(404)
  expect((await visitor.get(record('m2'))).text).not.toContain('data:image')
})

it('shows no page over plain http beyond this machine', async () => {
  const test = await testServer({ trustedHosts: ['nas.example'] })
  const { status, text } = await new Browser(test.server, { host: 'nas.example' }).get('/owner/sign-in')
  expect([status, text.includes('Pages need https')]).toEqual([403, true])
})
