import { expect, it } from 'vitest'
import { mailServer } from '../../../../tests/fixtures/server.ts'
import { isOnPostgres } from '../../../../tests/fixtures/test-store.ts'

it('reports a full disk without internals, and still lists tools', async () => {
  const test = await mailServer()
  const { storage } = test.server.context
  const full = async () => {
    throw Object.assign(new Error('database or disk is full'), { code: isOnPostgres() ? '53100' : 'SQLITE_FULL' })
  }
  const { grantId, token } = await test.grant({ connections: ['home'] })
  storage.grants.revoke = full
  storage.connections.create = full
  const answers = [
    await test.owner('POST', `/v1/owner/grants/${grantId}/revoke`),
    await test.owner('POST', '/v1/owner/connections', { connector_key: 'mail', connection_id: 'third' }),
  ]
  for (const { status, body } of answers) {
    expect([status, body.error.code]).toEqual([507, 'insufficient_storage'])
    expect(body.error.message).toBe('The disk of the server is full, so nothing was saved.')
  }
  storage.writer.write = full
  if (storage.writer.writeLines) storage.writer.writeLines = full
  const record = { data: { id: 'm9', subject: 'Late' } }
  const { status, body } = await test.owner('POST', '/v1/ingest/messages?connection_id=home', record)
  expect([status, body.error.code]).toEqual([503, 'ingest_batch_storage_error'])
  expect(body.error.next_step).toMatch(/^Make room on the disk of the server/)
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  expect((await test.as(token)('POST', '/mcp', list, accept)).status).toBe(200)
})
