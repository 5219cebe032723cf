// When the owner takes something back, the agent is not cut off: its present and future tokens read less.
import { expect } from 'vitest'
import type { Answer } from '../../../../tests/fixtures/http.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { consentServer, give } from './consent.fixture.ts'
import { connect, type OAuthServer, oauthServer, tokenRequest } from './oauth-flow.ts'

const LIST = '/v1/streams/messages/records'
const refresh = async (server: OAuthServer, clientId: string, token: string): Promise<Answer> =>
  tokenRequest(server, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token })
const narrow = async (server: OAuthServer, grantId: string, body: unknown): Promise<any> => {
  const answer = await server.owner('POST', `/v1/owner/grants/${grantId}/narrow`, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** The records that `query_records` shows at /mcp. */
async function tool(server: OAuthServer, token: string, args: object): Promise<any> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'query_records', arguments: args } }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  }
  return (await server.as(token)('POST', '/mcp', message, headers)).body.result.structuredContent
}

const fieldsAt = async (server: OAuthServer, token: string): Promise<string[][]> => {
  const rest = (await server.as(token)('GET', `${LIST}?limit=1`)).body.data[0].data
  const hosted = (await tool(server, token, { stream: 'messages', limit: 1 })).data.data[0].data
  return [rest, hosted].map((row) => Object.keys(row).toSorted())
}

verifies('checklist 18', 'a narrowed grant keeps its tokens; only cursors end', async () => {
  const server = await oauthServer()
  const clientId = await server.register()
  const { body } = await connect(server, { clientId })
  const get = (path: string, token = body.access_token) => server.as(token)('GET', path)
  const page = (await get(`${LIST}?limit=2`)).body
  const hostedPage = await tool(server, body.access_token, { stream: 'messages', limit: 2 })
  const changes = (await get(`${LIST}?changes_since=beginning`)).body
  expect(page.has_more && hostedPage.data.has_more).toBe(true)

  const smaller = await narrow(server, body.grant_id, { streams: [{ name: 'messages', fields: ['subject'] }] })
  const less = [
    ['id', 'sent_at', 'subject'],
    ['id', 'sent_at', 'subject'],
  ]
  expect(await fieldsAt(server, body.access_token)).toEqual(less)
  expect((await get(`${LIST}?fields=body`)).body.error.code).toBe('field_not_granted')
  expect((await get('/v1/streams/labels/records')).body.error.code).toBe('grant_stream_not_allowed')
  const ended = (answer: Answer) => [answer.status, answer.body.error.code]
  expect(ended(await get(`${LIST}?limit=2&cursor=${page.next_cursor}`))).toEqual([400, 'invalid_cursor'])
  const sync = encodeURIComponent(changes.next_changes_since)
  expect(ended(await get(`${LIST}?changes_since=${sync}`))).toEqual([400, 'invalid_cursor'])
  const again = { stream: 'messages', limit: 2, cursor: hostedPage.data.next_cursor }
  expect((await tool(server, body.access_token, again)).error).toMatchObject({ code: 'invalid_cursor' })

  const fresh = (await refresh(server, clientId, body.refresh_token)).body
  expect(fresh).toMatchObject({ grant_id: smaller.grant_id, token_type: 'Bearer' })
  expect(fresh.authorization_details[0].streams).toEqual([
    expect.objectContaining({ name: 'messages', fields: ['id', 'subject', 'sent_at'] }),
  ])
  expect(await fieldsAt(server, fresh.access_token)).toEqual(less)

  // After narrowing again, every token of the family follows, and all of them end with the last grant.
  const least = await narrow(server, smaller.grant_id, { resources: ['m1'] })
  const latest = (await refresh(server, clientId, fresh.refresh_token)).body
  expect(latest.grant_id).toBe(least.grant_id)
  const tokens = [body, fresh, latest].map(({ access_token }) => access_token as string)
  for (const token of tokens) expect((await get(LIST, token)).body.data.map(({ id }: any) => id)).toEqual(['m1'])
  await server.owner('POST', `/v1/owner/grants/${least.grant_id}/revoke`)
  for (const token of tokens) expect((await get(LIST, token)).body.error.code).toBe('grant_revoked')
  expect((await refresh(server, clientId, latest.refresh_token)).body).toMatchObject({
    error: 'invalid_grant',
    fresh_authorization_required: true,
  })
})

verifies('checklist 18', 'a narrowed member of a package stays in it with every token', async () => {
  const server = await consentServer()
  const { body } = await give(server, (form) =>
    form.tick('connection/mail', 'home').tick('stream/mail', ['messages', 'labels']).tick('stream/health', 'visits'),
  )
  const { members } = (await server.owner('GET', `/v1/owner/packages/${body.grant_package_id}`)).body
  const mail = members.find(({ connector_key }: any) => connector_key === 'mail')
  await narrow(server, mail.grant_id, { streams: [{ name: 'messages', fields: ['subject'] }] })
  const clientId = (await server.owner('GET', `/v1/owner/packages/${body.grant_package_id}`)).body.client.client_id
  const fresh = (await refresh(server, clientId, body.refresh_token)).body
  expect(fresh.grant_package_id).toBe(body.grant_package_id)
  for (const { access_token } of [body, fresh]) {
    const read = (path: string) => server.as(access_token)('GET', path)
    const { data } = (await read(`${LIST}?connection_id=home`)).body
    expect(Object.keys(data[0].data).toSorted()).toEqual(['id', 'sent_at', 'subject'])
    expect((await read('/v1/streams/visits/records?connection_id=clinic')).body.data).toHaveLength(4)
  }
})
