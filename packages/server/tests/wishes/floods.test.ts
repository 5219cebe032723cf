// A flood of wishes costs little and reveals nothing, and decisions of the owner stay.
import { OWNER } from '@pdpp/server'
import { expect, vi } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { words } from '../oauth/consent.fixture.ts'
import { addressIn, connectedAgent, decideOn, LIST, wishServer } from './wish-support.ts'

verifies(['point 43', 'checklist 32'], 'a flood of wishes is folded, and writes once', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const { wishes, receipts } = server.server.context.storage
  const counted = vi.spyOn(wishes, 'count')
  const appended = vi.spyOn(receipts, 'append')
  // A grant has an allowance per minute, so this is the largest possible flood.
  const answers = []
  for (let n = 0; n < 110; n++) answers.push(await agent.get(`/v1/streams/stream${String(n).padStart(4, '0')}/records`))
  expect(answers.map(({ status }) => status)).toEqual(Array(110).fill(403))
  expect(new Set(answers.map(({ text }) => text.length)).size).toBe(1)
  expect(appended).toHaveBeenCalledTimes(110)
  const page = await server.browser.get(`/agents/grants/${agent.grantId}`)
  expect(counted.mock.calls.length).toBeLessThanOrEqual(2)
  const all = await wishes.list(OWNER, { clientId: agent.clientId, limit: 1_000 })
  expect(all).toHaveLength(51)
  expect(all.reduce((sum, { times }) => sum + times, 0)).toBe(110)
  expect(all.find(({ lacks }) => lacks === undefined)?.times).toBe(60)
  expect(words(page)).toContain('Many other things')
  expect(words(page)).toContain('46 more')
  // Home names the agent once.
  expect((await server.browser.get('/')).text.split('>Test client</').length - 1).toBeLessThanOrEqual(3)
  // An address beyond the limit works like any other.
  expect(words(await server.browser.get(addressIn(answers[109]!)))).toContain('asks for “stream0109”')
})

verifies(['point 43', 'checklist 32'], 'refusals under many names hide no read on the first page', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  expect((await agent.get(LIST)).status).toBe(200)
  const { receipts } = server.server.context.storage
  const [read] = (await receipts.list(OWNER, { limit: 1, outcome: 'ok' })).receipts
  for (let n = 0; n < 2_400; n++)
    await receipts.append({ ...read!, stream: `name${n % 1_200}`, outcome: 'grant_stream_not_allowed' })
  const home = words(await server.browser.get('/'))
  expect(home).toContain('read once')
  expect(home).toContain('2,400 refused')
})

verifies(['point 43', 'checklist 32'], 'an agent cannot tell what became of its wish', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const ask = async () => {
    const { status, headers, text } = await agent.get(`${LIST}?fields=body`)
    const kept = [...headers].filter(([name]) => !['date', 'request-id', 'x-request-id'].includes(name))
    return JSON.stringify([status, kept, text.replace(/req_\w+/, '')])
  }
  const open = await ask()
  const path = addressIn(await agent.get(`${LIST}?fields=body`))
  for (const decision of ['deny', 'silence']) {
    expect((await decideOn(server.browser, path, decision)).status).toBe(303)
    expect(await ask()).toBe(open)
    expect(await server.server.context.wishes.list(OWNER, { state: 'open' })).toEqual([])
    const home = words(await server.browser.get('/'))
    expect(home).not.toContain('asked for')
    expect(words(await server.browser.get('/agents'))).not.toContain('1 wish')
  }
  // The page of the agent still lists the decision, and the owner can take it back.
  const { wishId } = (await server.server.context.wishes.list(OWNER))[0]!
  const agentPage = `/agents/grants/${agent.grantId}`
  expect(words(await server.browser.get(agentPage))).toContain('Denied or silenced (1)')
  await server.browser.submit(agentPage, `/agents/wishes/${wishId}/forget`)
  expect(await ask()).toBe(open)
  expect(words(await server.browser.get('/'))).toContain('asked for the field “body”')
  await server.browser.submit('/', `/agents/wishes/${wishId}/deny`)
  expect(words(await server.browser.get('/'))).not.toContain('asked for')
})
