// The owner makes access by hand, or copies one, and gets its token once.
import { OWNER } from '@pdpp/server'
import { expect } from 'vitest'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { words } from '../oauth/consent.fixture.ts'
import { connectedAgent, EVENTS, LIST, wishServer } from './wish-support.ts'

const PATH = '/agents/new'
const tokenIn = (text: string) => /class="token-once" id="token"[^>]*>(pdpp_[\w-]+)</.exec(text)?.[1]

verifies('point 43', 'a token for a script reads what was ticked, and is shown once', async () => {
  const server = await wishServer()
  const first = new ShownForm((await server.browser.get(PATH)).text, PATH)
  const part = first.values('part', { all: true }).find((value) => value.includes('calendar'))!
  const looked = await server.browser.post(PATH, first.tick('part', part).press('decision', 'update'))
  const nameless = await server.browser.post(PATH, new ShownForm(looked.text, PATH).press('decision', 'approve'))
  expect([nameless.status, words(nameless)]).toEqual([400, expect.stringContaining('Give it a name')])
  const form = new ShownForm(nameless.text, PATH).type('name', 'Receipt sorter').tick('end', '168')
  // The new end was not shown yet, so the page is shown once more.
  const changed = await server.browser.post(PATH, form.press('decision', 'approve'))
  expect(changed.status).toBe(400)
  const made = await server.browser.post(PATH, new ShownForm(changed.text, PATH).press('decision', 'approve'))
  expect([made.status, made.headers.get('cache-control')]).toEqual([200, expect.stringContaining('no-store')])
  const token = tokenIn(made.text)!
  expect(made.text).toContain('data-copy="token"')
  const get = (path: string) => server.as(token)('GET', path)
  expect((await get(EVENTS)).body.data).toHaveLength(3)
  expect((await get(LIST)).body.error.code).toBe('grant_stream_not_allowed')
  const { grant } = (await server.server.context.tokens.find(token))!
  expect(Date.parse(grant!.grant.expires_at!) - Date.now()).toBeLessThan(7 * 86_400_000)
  const page = await server.browser.get(`/agents/grants/${grant!.grant.grant_id}`)
  expect(words(page)).toContain('Receipt sorter may read')
  expect(page.text).not.toContain(token)
  const { receipts } = await server.server.context.receipts.list(OWNER, { limit: 5 })
  expect(receipts.map(({ operation }) => operation)).toContain('create_access')
})

verifies('point 43', 'a copy reads exactly the same, with a token and an end of its own', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const path = `${PATH}?copy=${agent.grantId}`
  const form = new ShownForm((await server.browser.get(path)).text, PATH).type('name', 'Nightly').tick('end', '720')
  const made = await server.browser.post(PATH, form.press('decision', 'approve'))
  const token = tokenIn(made.text)!
  const [own, copied] = [agent.token, token].map((one) => server.as(one)('GET', LIST))
  expect((await copied!).body.data).toEqual((await own!).body.data)
  expect((await server.as(token)('GET', `${LIST}?fields=body`)).status).toBe(403)
  await server.owner('POST', `/v1/owner/grants/${agent.grantId}/revoke`)
  expect((await server.as(token)('GET', LIST)).status).toBe(200)
  expect((await server.browser.get(path)).status).toBe(404)
})

verifies('point 43', 'a form that is sent again makes no second token', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const path = `${PATH}?copy=${agent.grantId}`
  const form = new ShownForm((await server.browser.get(path)).text, PATH).type('name', 'Nightly').tick('end', '720')
  const send = () => server.browser.post(PATH, form.press('decision', 'approve'))
  // A double click is two requests at the same time.
  const both = await Promise.all([send(), send()])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const token = tokenIn(both.find(({ status }) => status === 200)!.text)!
  const again = await send()
  expect([again.status, tokenIn(again.text), words(again)]).toEqual([
    ...[409, undefined, expect.stringContaining('This token was already made')],
  ])
  const link = /href="(\/agents\/clients\/cli_\w+)"/.exec(again.text)![1]!
  expect(words(await server.browser.get(link))).toContain('Nightly')
  expect((await server.as(token)('GET', LIST)).status).toBe(200)
  const made = (await server.owner('GET', '/v1/owner/grants')).body.data
  expect(made.filter((one: any) => one.grant.client.client_display?.name === 'Nightly')).toHaveLength(1)
  // The form stays used after the copied access has ended. A new form works.
  await server.owner('POST', `/v1/owner/grants/${agent.grantId}/revoke`)
  expect((await send()).status).toBe(409)
  const other = await connectedAgent(server)
  const next = new ShownForm((await server.browser.get(`${PATH}?copy=${other.grantId}`)).text, PATH).type('name', 'Two')
  const unsealed = { ...next.tick('end', '720').press('decision', 'approve'), once: 'cli_chosen.' }
  expect((await server.browser.post(PATH, unsealed)).status).toBe(400)
  expect((await server.browser.post(PATH, next.press('decision', 'approve'))).status).toBe(200)
})

verifies(['point 43', 'checklist 31'], 'no token is made without the form of this session', async () => {
  const server = await wishServer()
  const form = new ShownForm((await server.browser.get(PATH)).text, PATH).type('name', 'x').press('decision', 'approve')
  expect((await server.browser.post(PATH, { ...form, form_token: '' })).status).toBe(403)
  expect((await server.as(undefined)('POST', PATH, String(new URLSearchParams(form as never)))).status).toBe(200)
  const part = 'stream/calendar/events'
  const forged = await server.browser.post(PATH, { ...form, part })
  expect([forged.status, tokenIn(forged.text)]).toEqual([400, undefined])
})
