import { expect, it } from 'vitest'
import { mailServer } from '../../../../tests/fixtures/server.ts'

it.each([
  '/v1/search/semantic?q=x',
  '/v1/search/hybrid?q=x',
  '/v1/search?q=x&mode=semantic',
  '/v1/search?q=x&mode=hybrid',
])('%s is refused in words that say what works', async (path) => {
  const test = await mailServer()
  const { get } = await test.grant({ connections: ['home'] })
  const { status, body } = await get(path)
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ code: 'unsupported_search_mode', param: 'mode', type: 'invalid_request_error' })
  expect(body.error.message).toContain('lexical')
  // Another adapter passes this message to an agent that has tools and no routes.
  expect(body.error.next_step).toContain('GET /v1/search (the search tool)')
  expect((await get('/v1/search?q=x&mode=lexical')).status).toBe(200)
  expect((await test.as(undefined)('GET', path)).status).toBe(401)
})

it('names the tool next to the route in refusals', async () => {
  const test = await mailServer()
  const { get } = await test.grant({ connections: ['home'] })
  for (const path of [
    '/v1/streams/messages/records?fields=nothing',
    '/v1/streams/messages/records?sort=body',
    '/v1/streams/messages/records?filter[nothing]=1',
    '/v1/streams/messages/records?expand=nothing',
    '/v1/streams/messages/records?connection_id=nothing',
    '/v1/schema?detail=full',
  ]) {
    const { body } = await get(path)
    expect([path, body.error.next_step]).toEqual([path, expect.stringMatching(/GET \/v1\/schema\S* \(the schema tool/)])
  }
})
