// Access grows only by a decision of the owner, in the browser that showed it, to exactly what that page showed.
import { OWNER } from '@pdpp/server'
import fc from 'fast-check'
import { expect } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { words } from '../oauth/consent.fixture.ts'
import { type OAuthServer, PASSWORD } from '../oauth/oauth-flow.ts'
import { type Agent, addressIn, connectedAgent, EVENTS, LIST, wishServer } from './wish-support.ts'

const ASKED = [
  `${LIST}?fields=body`,
  `${LIST}?fields=sender`,
  `${LIST}?filter[sent_at][lt]=2026-01-01T01:00:00Z`,
  '/v1/streams/labels/records',
  EVENTS,
  '/v1/streams/visits/records',
  '/v1/streams/nowhere/records',
]

/** Everything that the token can read now, according to its grants. */
async function grantsNow(server: OAuthServer, agent: Agent): Promise<string> {
  const found = (await server.server.context.tokens.find(agent.token))!
  const stored = found.package?.members ?? [found.grant!]
  return JSON.stringify(stored.map(({ grant }) => [grant.grant_id, grant.source, grant.streams, grant.expires_at]))
}

type Attempt = (
  server: OAuthServer,
  agent: Agent,
  path: string,
  pages: { form: ShownForm; other: ShownForm },
) => Promise<number>

/** Everything that a program, another site, another browser or a stale page can do with an address. */
const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  'opening the address': async (server, _agent, path) => (await server.browser.get(path)).status,
  'opening it without signing in': async (server, _agent, path) => (await new Browser(server.server).get(path)).status,
  'a form without its token': async (server, _agent, path, { form }) =>
    (await server.browser.post(path, { ...form.press('decision', 'approve'), form_token: '' })).status,
  'the form in another browser of the owner': async (server, _agent, path, { form }) =>
    (await (await new Browser(server.server).signIn(PASSWORD)).post(path, form.press('decision', 'approve'))).status,
  'the form of another wish': async (server, _agent, path, { other }) =>
    (await server.browser.post(path, other.press('decision', 'approve'))).status,
  'a form from another site': async (server, _agent, path, { form }) =>
    (await server.browser.post(path, form.press('decision', 'approve'), { 'sec-fetch-site': 'cross-site' })).status,
  'another choice than the one that was shown': async (server, _agent, path, { form }) => {
    const sent = form.press('decision', 'approve')
    const reach = sent['reach'] === 'all' ? '30' : 'all'
    return (await server.browser.post(path, { ...sent, shown: `${sent['shown']}x`, reach })).status
  },
  'parts that were not offered': async (server, _agent, path, { form }) => {
    const sent = form.press('decision', 'approve')
    const part = ['stream/health/visits', 'stream/calendar/events', 'field/mail/messages', 'x']
    return (await server.browser.post(path, { ...sent, part, shown: '' })).status
  },
  'a preview': async (server, _agent, path, { form }) =>
    (await server.browser.post(path, form.press('decision', 'update'))).status,
  'the token of the agent': async (server, agent, path) =>
    (await server.as(agent.token)('POST', path, 'decision=approve', FORM)).status,
  'the token of the owner': async (server, _agent, path, { form }) =>
    (await server.owner('POST', path, String(new URLSearchParams(form.press('decision', 'approve') as never)), FORM))
      .status,
  'an owner route that would allow it': async (server) => {
    const [wish] = await server.server.context.wishes.list(OWNER)
    return (await server.owner('POST', `/v1/owner/wishes/${wish!.wishId}/allow`)).status
  },
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

verifies(
  ['point 43', 'checklist 31'],
  'nothing widens without a decision on the page that shows it',
  async () => {
    const server = await wishServer()
    const agent = await connectedAgent(server)
    const before = await grantsNow(server, agent)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ASKED),
        fc.constantFrom(...ASKED),
        fc.array(fc.constantFrom(...Object.keys(ATTEMPTS)), { minLength: 1, maxLength: 4 }),
        async (asked, another, attempts) => {
          fc.pre(asked !== another)
          const [path, elsewhere] = [addressIn(await agent.get(asked)), addressIn(await agent.get(another))]
          const form = new ShownForm((await server.browser.get(path)).text, path)
          const other = new ShownForm((await server.browser.get(elsewhere)).text, elsewhere)
          for (const name of attempts) {
            const status = await ATTEMPTS[name]!(server, agent, path, { form, other })
            expect([name, status < 500]).toEqual([name, true])
            expect([name, await grantsNow(server, agent)]).toEqual([name, before])
          }
        },
      ),
      { numRuns: 12 },
    )
    for (const path of ASKED) expect([path, (await agent.get(path)).status]).toEqual([path, 403])
  },
  120_000,
)

verifies(
  ['point 43', 'checklist 31'],
  'an approval adds exactly the parts that the page showed',
  async () => {
    const server = await wishServer()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('rest', '30', '365', 'all'),
        fc.nat(4),
        async (picks, reach, hide) => {
          const agent = await connectedAgent(server)
          const before = (await server.owner('GET', `/v1/owner/grants/${agent.grantId}`)).body.grant
          const path = `/agents/grants/${agent.grantId}/widen`
          const first = new ShownForm((await server.browser.get(path)).text, path)
          const all = first.values('part', { all: true })
          const parts = [...new Set(picks.map((n) => all[n % all.length]!))]
          const looked = await server.browser.post(
            path,
            first.tick('part', parts).tick('reach', reach).press('decision', 'update'),
          )
          const shown = new ShownForm(looked.text, path)
          // Hides some fields of the first part and ticks every account, then looks again.
          const boxes = shown.controls
            .filter(({ name, disabled }) => name.startsWith('field/') && !disabled)
            .slice(0, hide)
          for (const { name, value } of boxes) shown.tick(name, value, false)
          for (const name of shown.names('connection/')) shown.tick(name, shown.values(name, { all: true }))
          const last = await server.browser.post(path, shown.press('decision', 'update'))
          const form = new ShownForm(last.text, path)
          const answer = await server.browser.post(path, form.press('decision', 'approve'))
          const now = JSON.parse(await grantsNow(server, agent)) as [string, { connector_key: string }, any[]][]
          if (answer.status !== 303) {
            // A refusal, for example of a part without a field, changes nothing.
            expect(answer.status).toBe(400)
            expect(now).toEqual([[agent.grantId, before.source, before.streams, before.expires_at]])
            return
          }
          // The first member is the grant that was there. Parts that are added to it have its id in their key.
          const isInside = (part: string) => part.includes(`/${agent.grantId}`)
          const streams = now.flatMap(([, source, own], index) =>
            own.map((one) => ({ place: `${source.connector_key}/${one.name}`, isOld: index === 0, granted: one })),
          )
          for (const { place, isOld, granted } of streams) {
            const old = isOld ? before.streams.find(({ name }: any) => name === granted.name) : undefined
            const ticked = form.values('part').filter((part) => part.includes(`/${place}`) && isInside(part) === isOld)
            if (ticked.length === 0) expect(granted).toEqual(old)
            const boxes = ticked.flatMap((part) => form.controls.filter((one) => one.name === `field/${part}`))
            const on = boxes.filter((one) => one.on || one.disabled).map(({ value }) => value)
            const fields = [...new Set([...(old?.fields ?? []), ...on])]
            if (boxes.length > 0) expect(granted.fields.toSorted()).toEqual(fields.toSorted())
          }
          // Nothing that was not ticked is there.
          const ticked = form.values('part').map((part) => part.split('/').slice(1, 3).join('/'))
          expect(new Set(streams.map(({ place }) => place))).toEqual(new Set(['mail/messages', ...ticked]))
        },
      ),
      { numRuns: 10 },
    )
  },
  180_000,
)

verifies(['point 43', 'checklist 31'], 'a page that is out of date approves nothing', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const path = addressIn(await agent.get(`${LIST}?fields=body`))
  const form = new ShownForm((await server.browser.get(path)).text, path)
  const { body } = await server.owner('POST', `/v1/owner/grants/${agent.grantId}/narrow`, { resources: ['m3'] })
  // The approval is for the access that was shown. The owner then sees the present access.
  const stale = await server.browser.post(path, form.press('decision', 'approve'))
  expect(stale.status).toBe(409)
  expect(words(stale)).toContain('Your choice or this access changed.')
  expect((await agent.get(`${LIST}?fields=body`)).body.error.code).toBe('field_not_granted')
  // The same address leads to the present access, and keeps its other limits.
  const again = new ShownForm((await server.browser.get(path)).text, path)
  const sent = again.press('decision', 'approve')
  expect((await server.browser.post(path, sent)).status).toBe(303)
  expect((await agent.get(`${LIST}?fields=body`)).body.data.map(({ id }: any) => id)).toEqual(['m3'])
  // A decision that is sent twice counts once. A second click or another tab does not show a refusal.
  for (const decision of ['approve', 'deny', 'silence']) {
    const second = await server.browser.post(path, { ...sent, decision })
    expect(second.status).toBe(409)
    expect(words(second)).toContain('It can read this already.')
    expect(second.text).not.toContain('value="deny"')
  }
  expect(await server.server.context.wishes.list(OWNER)).toEqual([])
  expect((await agent.get(`${LIST}?fields=body`)).status).toBe(200)
  const { replaced_by: next } = (await server.owner('GET', `/v1/owner/grants/${body.grant_id}`)).body
  expect((await server.owner('GET', `/v1/owner/grants/${next}`)).body.replaced_by).toBeNull()
})
