import { expect, it } from 'vitest'
import { Browser, hiddenFields } from '../../../../tests/fixtures/browser.ts'
import { message } from '../../../../tests/fixtures/server.ts'
import { eventServer, eventually, FAST, PATH, subscribe } from './events-support.ts'
import { receiver } from './receiver.ts'

it('shows the owner where events go, and lets them stop it', async () => {
  const hook = await receiver()
  const test = await eventServer({}, { reach: hook.reach, eventTimes: { ...FAST, firstRetryMs: 60_000 } })
  const { token, grantId } = await test.grant({ client_name: 'Trip planner', connections: ['home'] })
  const browser = await new Browser(test.server).signIn()
  const path = `/agents/grants/${grantId}`
  expect((await browser.get(path)).text).not.toContain('Where it is told of changes')
  const poll = await subscribe(test, token, { filters: { streams: ['messages'] } })
  const { id, call } = await subscribe(test, token, { callback_url: `${hook.url}?<b>` })
  await eventually(async () => (await call('GET', `${PATH}/${id}`)).body.status === 'active')
  hook.answerWith((_one, response) => {
    response.writeHead(503).end()
    return true
  })
  await test.ingest('messages', 'home', [message(1)])
  await poll.next()
  await eventually(async () => (await call('GET', `${PATH}/${id}`)).body.last_failure !== undefined)
  const { text } = await browser.get(path)
  for (const shown of [
    'Where it is told of changes',
    'The agent asks for events itself',
    'client.example',
    'Challenge',
    'delivered (200)',
    'refused (503)',
    id,
    poll.id,
  ])
    expect(text, shown).toContain(shown)
  expect(text).not.toContain('?<b>')
  const action = `${path}/subscriptions/${id}/stop`
  const stopped = await browser.post(action, hiddenFields(text, action))
  expect([stopped.status, stopped.headers.get('location')]).toEqual([303, `${path}?done=subscription_stopped`])
  const after = (await browser.get(`${path}?done=subscription_stopped`)).text
  expect(after).toContain('You have stopped it.')
  expect(after).not.toContain(action)
  expect((await call('GET', `${PATH}/${id}`)).body.status).toBe('disabled')
  const receipts = (await browser.get(`/activity?grant=${grantId}`)).text
  for (const shown of ['was told of changes', 'could not be told of changes', 'asked to be told of changes'])
    expect(receipts, shown).toContain(shown)
})

it('lets the owner switch sending off and private addresses on', async () => {
  const test = await eventServer()
  const browser = await new Browser(test.server).signIn()
  const { text } = await browser.get('/settings')
  expect(text).toContain('Tell agents of changes at addresses that they name')
  await browser.post('/settings/events', { ...hiddenFields(text, '/settings/events'), private: 'on' })
  const { body } = await test.owner('GET', '/v1/owner/settings')
  expect(body).toMatchObject({ event_delivery: false, event_private_addresses: true })
  expect((await browser.post('/settings/events', { private: 'on' })).status).toBe(403)
})
