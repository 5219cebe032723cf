// `pdpp read records --follow`: what it prints, what it leaves behind, and servers without events.
import { expect, test } from 'vitest'
import { mailServer, message, messages, type TestServer } from '../../../tests/fixtures/server.ts'
import { newPerson, type Person } from './command.ts'
import { edit, proxy } from './proxy.ts'

const FOLLOW = ['read', 'records', 'messages', '--follow', '--jsonl']

async function connectedTo(mail: TestServer, url = mail.server.url): Promise<{ me: Person; token: string }> {
  const me = newPerson()
  const { token } = await mail.grant({ connections: ['home'] })
  const { code, stderr } = await me.run(['connect', url, '--with-token'], { input: token })
  expect(code, stderr).toBe(0)
  return { me, token }
}

async function subscriptions(mail: TestServer, token: string): Promise<unknown[]> {
  const answer = await fetch(`${mail.server.url}/v1/event-subscriptions`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { data: unknown[] }).data
}

test('changes are printed as they come, and Ctrl-C leaves nothing behind', async () => {
  const mail = await mailServer()
  await mail.ingest('messages', 'home', messages(3))
  const { me, token } = await connectedTo(mail)
  const following = await me.start(FOLLOW)
  await following.printed(/Following messages/)
  expect(await subscriptions(mail, token)).toMatchObject([{ delivery: 'poll', status: 'active' }])
  await mail.ingest('messages', 'home', [message(7)])
  await following.printed(/"m7"/)
  await mail.owner('DELETE', '/v1/streams/messages/records/m0?connection_id=home')
  await following.printed(/"deleted":true/)
  following.child.kill('SIGINT')
  const { code, stdout } = await following.exited
  const rows = stdout.trimEnd().split('\n')
  expect([code, rows.map((row) => JSON.parse(row).id)]).toEqual([0, ['m7', 'm0']])
  expect(await subscriptions(mail, token)).toEqual([])
})

test('it continues if its subscription was removed meanwhile', async () => {
  const mail = await mailServer()
  await mail.ingest('messages', 'home', messages(1))
  const { me, token } = await connectedTo(mail)
  const following = await me.start(FOLLOW)
  await following.printed(/Following messages/)
  const [{ subscription_id, idle_seconds }] = (await subscriptions(mail, token)) as any[]
  expect(idle_seconds).toBe(120)
  expect((await mail.as(token)('DELETE', `/v1/event-subscriptions/${subscription_id}`)).status).toBe(204)
  await mail.ingest('messages', 'home', [message(8)])
  await following.printed(/"m8"/)
  following.child.kill('SIGINT')
  expect((await following.exited).code).toBe(0)
  expect(await subscriptions(mail, token)).toEqual([])
})

test('--since-last begins where the last run ended', async () => {
  const mail = await mailServer()
  await mail.ingest('messages', 'home', messages(2))
  const { me } = await connectedTo(mail)
  const following = await me.start([...FOLLOW, '--since-last'])
  await following.printed(/"m1"/)
  await mail.ingest('messages', 'home', [message(5)])
  await following.printed(/"m5"/)
  following.child.kill('SIGINT')
  expect((await following.exited).code).toBe(0)
  const after = await me.run(['read', 'records', 'messages', '--since-last', '--jsonl'])
  expect([after.code, after.stdout]).toEqual([0, ''])
})

test('a revoked grant ends it with its reason', async () => {
  const mail = await mailServer()
  await mail.ingest('messages', 'home', messages(1))
  const me = newPerson()
  const { token, grantId } = await mail.grant({ connections: ['home'] })
  await me.run(['connect', mail.server.url, '--with-token'], { input: token })
  const following = await me.start(FOLLOW)
  await following.printed(/Following messages/)
  await mail.owner('POST', `/v1/owner/grants/${grantId}/revoke`)
  const { code, stderr } = await following.exited
  expect(code).toBe(4)
  expect(stderr).toContain('The owner ended this access.')
})

test('a server without events is asked now and then', async () => {
  const mail = await mailServer()
  await mail.ingest('messages', 'home', messages(1))
  const without = edit('/.well-known/oauth-protected-resource', ({ capabilities, ...rest }) => {
    const { client_event_subscriptions: _none, ...others } = capabilities
    return { ...rest, capabilities: others }
  })
  const { url } = await proxy(mail.server.url, without)
  const { me, token } = await connectedTo(mail, url)
  const following = await me.start([...FOLLOW, '--since-last'])
  await following.printed(/This server has no events, so pdpp asks it every 30 s\./)
  await following.printed(/"m0"/)
  expect(await subscriptions(mail, token)).toEqual([])
  following.child.kill('SIGINT')
  expect((await following.exited).code).toBe(0)
})

test.each([
  [['--follow', '--json'], /--follow has no end\. Use --jsonl/],
  [['--follow', '--cursor', 'x'], /leave out --cursor and --around/],
])('%s is refused', async (flags, said) => {
  const mail = await mailServer()
  const { me } = await connectedTo(mail)
  const { code, stderr } = await me.run(['read', 'records', 'messages', ...flags])
  expect(code).toBe(2)
  expect(stderr).toMatch(said)
})
