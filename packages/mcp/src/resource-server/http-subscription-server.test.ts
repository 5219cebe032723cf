import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { HttpResourceServer } from './http-resource-server.ts'
import { HttpSubscriptionServer } from './http-subscription-server.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function serverOf(...answers: Answer[]) {
  const asked: object[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, url, headers } = request
    asked.push({ method, url, body, type: headers['content-type'], authorization: headers.authorization })
    answers.shift()!(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const bearers = { current: async () => 'token-1', replace: async () => 'token-2' }
  return { resources: new HttpSubscriptionServer(url, bearers), asked }
}

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const create = { method: 'POST', path: '/v1/event-subscriptions', tool: 'create_event_subscription' } as const

test('a write has its method, its JSON and the token', async () => {
  const { resources, asked } = await serverOf(json(201, { subscription_id: 'sub_1' }), (_request, response) =>
    response.writeHead(204).end(),
  )
  const reply = await resources.send({ ...create, body: { delivery: 'poll' } })
  expect([reply.status, reply.body]).toEqual([201, { subscription_id: 'sub_1' }])
  expect((await resources.send({ ...create, method: 'DELETE', path: '/v1/event-subscriptions/sub_1' })).status).toBe(
    204,
  )
  const authorization = 'Bearer token-1'
  const type = 'application/json'
  expect(asked).toEqual([
    { method: 'POST', url: '/v1/event-subscriptions', body: '{"delivery":"poll"}', type, authorization },
    { method: 'DELETE', url: '/v1/event-subscriptions/sub_1', body: '', type: undefined, authorization },
  ])
})

test('a write is repeated only if the server did not do it', async () => {
  const busy = await serverOf(json(429, {}, { 'retry-after': '0' }), json(201, {}))
  expect((await busy.resources.send(create)).status).toBe(201)
  const token = await serverOf(json(401, { error: { code: 'authentication_error' } }), json(201, {}))
  expect((await token.resources.send(create)).status).toBe(201)
  for (const answer of [json(503, {}, { 'retry-after': '0' }), json(502, {})]) {
    const { resources, asked } = await serverOf(answer)
    expect((await resources.send(create)).status).toBeGreaterThan(500)
    expect(asked).toHaveLength(1)
  }
  const { resources, asked } = await serverOf((request) => request.socket.destroy())
  await expect(resources.send(create)).rejects.toMatchObject({ code: 'server_unreachable' })
  expect(asked).toHaveLength(1)
})

test('the server of the normal entrypoint has no way to write', () => {
  expect(Object.getOwnPropertyNames(HttpResourceServer.prototype)).not.toContain('send')
})
