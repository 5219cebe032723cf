import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { mailServer, messages, type TestServer } from '../../../../tests/fixtures/server.ts'
import { OWNER } from '../../src/context.ts'
import type { DirectContext, DirectRequestParts } from '../../src/http/direct/direct-context.ts'
import { DirectRoutes } from '../../src/http/direct/direct-routes.ts'
import { type Rehearsal, rehearse } from '../../src/rehearsal.ts'

const words = { common: ['body', 'subject'], rare: ['gull'] }

/** Calls the routes of a server, and keeps what they answer. */
class Watched extends DirectRoutes {
  readonly answers: DirectContext[] = []
  readonly targets: string[] = []
  readonly #routes: DirectRoutes

  constructor(routes: DirectRoutes) {
    super([], () => undefined)
    this.#routes = routes
  }

  override async answer(parts: DirectRequestParts): Promise<DirectContext | undefined> {
    const c = await this.#routes.answer(parts)
    this.targets.push(parts.target)
    if (c) this.answers.push(c)
    return c
  }
}

/** A rehearsal at a server of the test. */
const at = ({ server }: TestServer, isBusy = () => false): Rehearsal => ({
  ...{ address: server.url, localAddress: server.url, subjectId: OWNER, words, isBusy, services: server.context },
})

it('searches as a client would, and leaves no receipt', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(5))
  const routes = new Watched(test.server.app.direct)
  await rehearse(routes, at(test))
  expect(routes.answers.length).toBeGreaterThan(20)
  expect(new Set(routes.answers.map(({ answer }) => answer?.status))).toEqual(new Set([200]))
  expect(JSON.parse(routes.answers[0]!.answer!.body).data).not.toEqual([])
  expect(new Set(routes.targets).size).toBe(5)
  expect((await test.owner('GET', '/v1/owner/receipts')).body.data).toEqual([])
})

it('ends when a client searches, and does nothing without words', async () => {
  const test = await mailServer()
  const routes = new Watched(test.server.app.direct)
  await rehearse(
    routes,
    at(test, () => routes.targets.length > 2),
  )
  expect(routes.targets).toHaveLength(3)
  await rehearse(routes, { ...at(test), words: { common: [], rare: [] } })
  expect(routes.targets).toHaveLength(3)
})

it('asks over the network with a token that nobody has', async () => {
  const test = await mailServer()
  const refused: (string | undefined)[] = []
  const door = createServer((request, response) => {
    refused.push(request.headers.authorization)
    if (request.headers.host === new URL(test.server.url).host) response.writeHead(401).end()
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void door.close())
  const localAddress = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  await rehearse(new Watched(test.server.app.direct), { ...at(test), localAddress })
  expect(refused).toHaveLength(12)
  expect((await test.as(refused[0]!.slice('Bearer '.length))('GET', '/v1/search?q=gull')).status).toBe(401)
})

it('goes on if nobody answers over the network', async () => {
  const test = await mailServer()
  const routes = new Watched(test.server.app.direct)
  await rehearse(routes, { ...at(test), localAddress: 'http://127.0.0.1:1' })
  expect(routes.answers.length).toBeGreaterThan(20)
})

it('does not ask over the network if requests are logged', async () => {
  const test = await mailServer()
  const routes = new Watched(test.server.app.direct)
  // Counts what servers of this process accept. What it opens may be a connection to a database.
  const connections: unknown[] = []
  const accepted = (message: unknown) => connections.push(message)
  subscribe('net.server.socket', accepted)
  onTestFinished(() => void unsubscribe('net.server.socket', accepted))
  await rehearse(routes, { ...at(test), localAddress: undefined })
  expect([connections.length, routes.answers.length > 20]).toEqual([0, true])
})

it('searches under the grant that was used last, without a receipt', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(5))
  const request = { connections: ['home'], streams: [{ name: 'messages' }] }
  const [used, revoked] = [await test.grant(request), await test.grant(request)]
  await test.grant(request)
  for (const { get } of [used, revoked]) expect((await get('/v1/search?q=gull')).status).toBe(200)
  await test.owner('POST', `/v1/owner/grants/${revoked.grantId}/revoke`)
  const before = (await test.owner('GET', '/v1/owner/receipts')).body.data.length
  const under: string[] = []
  const { search, storage } = test.server.context
  const watched = new Proxy(search, {
    get: (_, name) =>
      name === 'search' &&
      ((...values: Parameters<typeof search.search>) => {
        if (values[0].kind === 'client') under.push(values[0].grant.grant_id)
        return search.search(...values)
      }),
  })
  await rehearse(test.server.app.direct, { ...at(test), services: { search: watched, storage } })
  expect(new Set(under)).toEqual(new Set([used.grantId]))
  expect((await test.owner('GET', '/v1/owner/receipts')).body.data).toHaveLength(before)
})
