// The developer tools with other servers: some limit nothing, ignore ranges, or redirect.
import { RESULT_BYTES } from '@pdpp/protocol'
import { expect } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import type { Agent } from './fixtures/agent.ts'
import { type Answers, agentOf, cacheFor, otherServer } from './fixtures/other-server.ts'

async function agentAt(answers: Answers): Promise<{ agent: Agent; requests: { path: string }[] }> {
  const { url, requests } = await otherServer(answers)
  return { agent: await agentOf(url, cacheFor(url), 'stdio 2026-07-28', 'developer'), requests }
}
const bytesOf = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))

verifies(
  ['003.2.3', 'point 2', 'point 44'],
  'a server that ignores ranges: the tool cuts the file itself',
  async () => {
    const whole = 'a line of an invented log\n'.repeat(40_000)
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(whole.length) }
    const { agent } = await agentAt(({ path }) =>
      path.startsWith('/v1/blobs/') ? { headers, body: whole } : { status: 404, body: {} },
    )
    const first = await agent.use('fetch_blob', { blob_id: 'file:7' })
    expect(first.structured.blob).toMatchObject({ media_type: 'text/plain', size_bytes: whole.length })
    const second = await agent.use('fetch_blob', first.structured.next)
    const read = first.structured.window.text + second.structured.window.text
    expect([read.length > 10_000, whole.startsWith(read)]).toEqual([true, true])
    const binary = {
      'content-type': 'Application/ZIP',
      'content-length': '1040000',
      'content-disposition': `x; filename*=UTF-8''a%E2%80%AE.zip`,
    }
    const other = await agentAt(() => ({ headers: binary, body: whole }))
    const { text, structured, media } = await other.agent.use('fetch_blob', { blob_id: 'b1' })
    expect([media, structured.shown, structured.blob.media_type]).toEqual([[], 'nothing', 'application/zip'])
    expect(text).toContain('a\\u{202e}.zip, application/zip, 1,040,000 bytes')
  },
)

verifies('003.2.3', 'a file of unknown size is complete only after its end was read', async () => {
  const whole = 'one more line\n'.repeat(700)
  const { agent } = await agentAt(() => ({
    headers: { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' },
    body: whole,
  }))
  const first = await agent.use('fetch_blob', { blob_id: 'b1' })
  expect(first.structured.window.complete).toBe(false)
  const second = await agent.use('fetch_blob', first.structured.next)
  expect([second.structured.next, second.structured.blob.size_bytes]).toEqual([undefined, whole.length])
  expect(first.structured.window.text + second.structured.window.text).toBe(whole)
})

verifies('003.2.3', 'a redirect to another server is not followed', async () => {
  const elsewhere = await otherServer(() => ({ body: 'stolen' }))
  const { agent } = await agentAt(() => ({ status: 302, headers: { location: `${elsewhere.url}/file` }, body: '' }))
  expect(await agent.refusal('fetch_blob', { blob_id: 'b1' })).toMatchObject({ code: 'server_unreachable' })
  expect(elsewhere.requests).toEqual([])
})

verifies(['003.2.1', 'point 2', 'point 44'], 'huge rows and unknown members stay within the budget', async () => {
  const row = { name: 'notes', connection_id: 'c', connector_key: 'k', record_count: 3, extra: 'x'.repeat(50_000) }
  const rows = Array.from({ length: 150 }, (_, index) => ({ ...row, name: `notes_${index}` }))
  const { agent } = await agentAt(({ path }) =>
    path === '/v1/streams' ? { body: { data: rows } } : { status: 404, body: {} },
  )
  const { text, structured } = await agent.use('list_streams')
  expect(Math.max(bytesOf(text), bytesOf(structured))).toBeLessThanOrEqual(RESULT_BYTES.default)
  expect(structured).toMatchObject({ page: { total: 150 }, data: { has_more: true } })
  expect(structured.data.data[0]).toEqual({
    name: 'notes_0',
    connection_id: 'c',
    connector_key: 'k',
    record_count: 3,
    omitted_member_count: 1,
  })
  expect(text).toContain('- notes_0 connection_id=c connector_key=k: 3 records')
})
