import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hiddenFields } from '../../../tests/fixtures/browser.ts'
import { verifies } from '../../../tests/fixtures/verifies.ts'
import { decide, type OAuthServer, oauthServer } from '../../server/tests/oauth/oauth-flow.ts'
import { newPerson, nobodyThere, type Person, terminalAvailable } from './command.ts'
import { edit, proxy } from './proxy.ts'

const ISSUER = '/.well-known/oauth-authorization-server'
const json = (text: string) => JSON.parse(text)

/** The file that holds the latest grant at a server. */
function latestFile(me: Person, origin: string): string {
  return join(me.home, '.pdpp', 'clients', `${new URL(origin).host.replace(':', '_')}.json`)
}

const cached = (me: Person, origin: string) => json(readFileSync(latestFile(me, origin), 'utf8'))

/** The owner opens the address that the command showed, and decides. */
async function answer(server: OAuthServer, address: string, fields: Record<string, string | string[]>) {
  const { pathname, search } = new URL(address)
  const started = await server.browser.get(pathname + search)
  const decided = await decide(server, started.headers.get('location')!, fields)
  const back = decided.headers.get('location')!
  return { back, follow: () => fetch(back) }
}

async function connectInBrowser(server: OAuthServer, me: Person, more: string[] = []) {
  const running = await me.start(['connect', server.origin, '--no-browser', ...more])
  const [address] = await running.printed(/http:\/\/\S+\/oauth\/authorize\?\S+/)
  const { follow } = await answer(server, address, { decision: 'approve', connection: ['home', 'work'] })
  const page = await follow()
  return { address, page, finished: await running.exited }
}

test('through a browser it gets a private token and never prints it', async () => {
  const server = await oauthServer()
  const me = newPerson()
  const { address, page, finished } = await connectInBrowser(server, me)
  expect(await page.text()).toContain('You can close this page')
  expect(finished.code).toBe(0)
  expect(finished.stdout).toMatch(
    /^Connected to http:\/\/127\.0\.0\.1:\d+\.\n\nYou may read:\n {2}Mail from .*: messages \(8\)/,
  )
  expect(finished.stdout).toContain('renewed automatically')
  const file = cached(me, server.origin)
  const { access_token: token, refresh_token: refresh } = file.credential
  expect(file).toMatchObject({
    provider_url: server.origin,
    authorization_server: server.origin,
    scope: 'pdpp:read',
    client: { client_id: expect.any(String), client_name: 'PDPP command line', token_endpoint_auth_method: 'none' },
    credential: { token_type: 'Bearer', grant_id: expect.stringMatching(/^grt_/) },
  })
  for (const text of [finished.stdout, finished.stderr, address]) {
    expect(text).not.toContain(token)
    expect(text).not.toContain(refresh)
  }
  const files = globSync('.pdpp/clients/**/*.json', { cwd: me.home })
  expect(files).toHaveLength(2)
  for (const path of files) expect(statSync(join(me.home, path)).mode & 0o777).toBe(0o600)
  expect(statSync(join(me.home, '.pdpp', 'clients')).mode & 0o777).toBe(0o700)
  const told = await server.owner('POST', '/introspect', `token=${token}`, {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(told.body.aud.toSorted()).toEqual([`${server.origin}/mcp`, `${server.origin}/v1`])
  // The client is registered once, so the owner sees one client and not several.
  await connectInBrowser(server, me)
  expect(cached(me, server.origin).client.client_id).toBe(file.client.client_id)
  // If the server no longer knows the client, it is registered again before the browser opens.
  for (const path of globSync('.pdpp/clients/**/*.json', { cwd: me.home })) {
    const whole = json(readFileSync(join(me.home, path), 'utf8'))
    writeFileSync(join(me.home, path), JSON.stringify({ ...whole, client: { ...whole.client, client_id: 'cli_gone' } }))
  }
  const again = await connectInBrowser(server, me)
  expect(again.finished.code).toBe(0)
  expect(cached(me, server.origin).client.client_id).not.toBe('cli_gone')
})

verifies('checklist 26', 'the browser is opened without a shell, and only for http(s)', async () => {
  const server = await oauthServer()
  const me = newPerson()
  const opened = join(me.home, 'opened')
  const opener = join(me.home, 'opener')
  writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$@" > '${opened}'\n`, { mode: 0o755 })
  const running = await me.start(['connect', server.origin], { BROWSER: opener })
  const [address] = await running.printed(/http:\/\/\S+\/oauth\/authorize\?\S+/)
  await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe(`${address}\n`)
  await (await answer(server, address, { decision: 'deny' })).follow()
  const denied = await running.exited
  expect([denied.code, denied.stdout]).toEqual([4, ''])
  expect(denied.stderr).toContain('The owner denied access')
  expect(existsSync(latestFile(me, server.origin))).toBe(false)

  for (const evil of ['a:$(touch pwned)', 'javascript:alert(1)', 'file:///etc/passwd']) {
    const front = await proxy(
      server.origin,
      edit(ISSUER, (body) => ({ ...body, authorization_endpoint: evil, agent_connect_endpoint: undefined })),
    )
    const trapped = await newPerson().run(['connect', front.url], { env: { BROWSER: opener } })
    expect([evil, trapped.code, trapped.stdout]).toEqual([evil, 1, ''])
    expect(readFileSync(opened, 'utf8')).toBe(`${address}\n`)
  }
})

test('an answer to another request, or from another server, is not taken', async () => {
  const server = await oauthServer()
  const tamper: [(query: URLSearchParams) => void, RegExp][] = [
    [(query) => query.set('state', 'forged'), /belongs to another request/],
    [(query) => query.set('iss', 'https://evil.example'), /came from https:\/\/evil\.example/],
    [(query) => query.delete('iss'), /came from an unnamed server/],
  ]
  for (const [change, message] of tamper) {
    const me = newPerson()
    const running = await me.start(['connect', server.origin, '--no-browser'])
    const [address] = await running.printed(/http:\/\/\S+\/oauth\/authorize\?\S+/)
    const { back } = await answer(server, address, { decision: 'approve', connection: 'home' })
    const forged = new URL(back)
    change(forged.searchParams)
    await fetch(forged)
    const { code, stderr } = await running.exited
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
    expect(existsSync(latestFile(me, server.origin))).toBe(false)
  }
})

test('without an answer or when interrupted it ends and leaves nothing', async () => {
  const server = await oauthServer()
  const me = newPerson()
  const late = await me.run(['connect', server.origin, '--no-browser', '--timeout', '1'])
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('did not answer in time')])
  const running = await me.start(['connect', server.origin, '--no-browser'])
  await running.printed(/oauth\/authorize/)
  running.child.kill('SIGINT')
  expect((await running.exited).signal).toBe('SIGINT')
  expect(existsSync(join(me.home, '.pdpp'))).toBe(false)
})

test('--device: a code for another device', async () => {
  const server = await oauthServer()
  const me = newPerson()
  const running = await me.start(['connect', server.origin, '--device', '--json'])
  const [, userCode] = await running.printed(/^ {2}([A-Z]{4}-[A-Z]{4})$/m)
  const page = await server.browser.get('/device')
  const entered = await server.browser.post('/device', {
    ...hiddenFields(page.text, '/device'),
    user_code: userCode!,
  })
  await decide(server, entered.headers.get('location')!, { decision: 'approve', connection: 'home' })
  const { code, stdout } = await running.exited
  expect(code).toBe(0)
  expect(json(stdout)).toMatchObject({
    object: 'connection',
    provider_url: server.origin,
    may_read: [{ connector_key: 'mail', connections: ['home'] }],
  })
  expect(stdout).not.toContain(cached(me, server.origin).credential.access_token)
  expect(json((await me.run(['read', 'records', 'messages', '--json'])).stdout).data).toHaveLength(5)
})

test('a server that only knows agent-connect is asked that way', async () => {
  const server = await oauthServer()
  const front = await proxy(
    server.origin,
    edit(ISSUER, (body) => ({ ...body, authorization_endpoint: undefined })),
  )
  const me = newPerson()
  const running = await me.start(['connect', front.url, '--no-browser'])
  const [address] = await running.printed(/http:\/\/\S+\/oauth\/consent\/\S+/)
  await decide(server, new URL(address).pathname, { decision: 'approve', connection: 'work' })
  const { code, stdout } = await running.exited
  expect(code).toBe(0)
  expect(stdout).toContain('You may read:')
  expect(cached(me, front.url).credential.access_token).toEqual(expect.any(String))
})

test('an expired token is renewed, and disconnect gives it back', async () => {
  const server = await oauthServer()
  const me = newPerson()
  await connectInBrowser(server, me)
  const path = latestFile(me, server.origin)
  const before = cached(me, server.origin)
  for (const file of globSync('.pdpp/clients/**/*.json', { cwd: me.home }).map((name) => join(me.home, name)))
    writeFileSync(
      file,
      JSON.stringify({ ...before, credential: { ...before.credential, expires_at: '2020-01-01T00:00:00Z' } }),
    )
  expect((await me.run(['read', 'records', 'messages', '--limit', '1'])).code).toBe(0)
  const after = cached(me, server.origin)
  expect(after.credential.access_token).not.toBe(before.credential.access_token)

  const status = await me.run(['status'])
  expect(status.stdout).toMatch(
    /accepted\n {2}Grant {6}grt_\w+\n {2}As {9}PDPP command line\n {2}Valid {6}as long as the owner allows it/,
  )
  expect(status.stdout).toMatch(/May read {3}Mail from .*messages \(8\)/)
  const [row] = json((await me.run(['status', '--json'])).stdout).data
  expect(row).toMatchObject({ provider_url: server.origin, state: 'accepted', refreshable: true, latest: true })
  expect(JSON.stringify(row)).not.toContain(after.credential.access_token)
  expect(json((await me.run(['status', '--offline', '--json'])).stdout).data[0].state).toBe('not_asked')

  const gone = await me.run(['disconnect'])
  expect([gone.code, gone.stdout]).toEqual([0, expect.stringMatching(/^Revoked grt_/)])
  expect(existsSync(path)).toBe(false)
  expect((await server.as(after.credential.access_token)('GET', '/v1/schema')).status).toBe(401)
  const empty = await me.run(['status'])
  expect([empty.code, empty.stdout]).toEqual([3, ''])
})

test('disconnect keeps what it cannot revoke, unless told to forget', async () => {
  const server = await oauthServer()
  const me = newPerson()
  const { token, grantId } = await server.grant({ connections: ['home'] })
  const front = await proxy(server.origin)
  await me.run(['connect', front.url, '--with-token'], {
    input: JSON.stringify({ access_token: token, grant_id: grantId }),
  })
  await front.close()
  const offline = await me.run(['read', 'streams'])
  expect([offline.code, offline.stdout]).toEqual([6, ''])
  expect(offline.stderr).toContain(`pdpp doctor ${front.url}`)
  const kept = await me.run(['disconnect'])
  expect([kept.code, kept.stdout]).toEqual([6, ''])
  expect(cached(me, front.url).credential.access_token).toBe(token)
  const forgotten = await me.run(['disconnect', '--forget'])
  expect([forgotten.code, forgotten.stderr]).toEqual([0, expect.stringContaining('warning: not_revoked')])
  expect(existsSync(latestFile(me, front.url))).toBe(false)

  await me.run(['connect', server.origin, '--with-token'], { input: token })
  const given = await me.run(['disconnect', server.origin, '--json'])
  expect(json(given.stdout).data).toEqual([
    { provider_url: server.origin, grant_id: grantId, revoked: true, forgotten: true },
  ])
  expect((await server.as(token)('GET', '/v1/schema')).status).toBe(401)
})

test('with several servers or grants the command asks which', async () => {
  const [one, two] = [await oauthServer(), await oauthServer()]
  const me = newPerson()
  for (const server of [one, two])
    await me.run(['connect', server.origin, '--with-token'], {
      input: (await server.grant({ connections: ['home'] })).token,
    })
  const unclear = await me.run(['read', 'streams'])
  expect([unclear.code, unclear.stdout]).toEqual([2, ''])
  expect(unclear.stderr).toContain(two.origin)
  expect((await me.run(['read', 'streams', two.origin])).code).toBe(0)
  expect((await me.run(['read', 'streams'], { env: { PDPP_PROVIDER_URL: one.origin } })).code).toBe(0)
  const work = await one.grant({ connections: ['work'] })
  await me.run(['connect', one.origin, '--with-token'], { input: work.token })
  const latest = json((await me.run(['read', 'records', one.origin, 'messages', '--json'])).stdout)
  expect(new Set(latest.data.map((row: any) => row.connection_id))).toEqual(new Set(['work']))
  // A printed command names the server, because several are known.
  const listed = await me.run(['read', 'records', two.origin, 'messages', '--limit', '1'])
  expect(listed.stderr).toContain(`Open one: pdpp read record ${two.origin} home/messages:`)
})

test('another server and a silent address get different errors', async () => {
  const other = createServer((_request, response) => response.end('<html>hello</html>'))
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const me = newPerson()
  const strange = await me.run(['connect', address])
  expect([strange.code, strange.stderr]).toEqual([1, expect.stringContaining('Is this a PDPP server?')])
  expect((await me.run(['connect', await nobodyThere()])).code).toBe(6)
})

test.skipIf(!terminalAvailable)('waiting shows that it is alive, on a terminal', async () => {
  const server = await oauthServer()
  const { stdout, code } = await newPerson().terminal(['connect', server.origin, '--no-browser', '--timeout', '3'])
  expect(stdout).toContain('Waiting for the owner to decide in the browser (1 s)')
  expect(code).toBe(1)
})
