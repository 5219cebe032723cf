import { expect } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { onEveryTransport } from './fixtures/agent.ts'
import { SHARED_WORD } from './fixtures/sources.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
const receipts = async (grantId: string) =>
  (await world.owner('GET', `/v1/owner/receipts?grant_id=${grantId}&limit=100`)).data as any[]

onEveryTransport((kind) => {
  const everything = async () => world.agent(kind, await world.package('everything', 'mail', 'chat', 'notes'))
  const many = async () => world.agent(kind, await world.package('many', 'sensors', 'chat 2'))

  verifies(['000.8.1', 'point 14'], 'a read without connection_id lists the possible connections', async () => {
    const agent = await everything()
    for (const [tool, args] of [
      ['query_records', { stream: 'notes' }],
      ['aggregate', { stream: 'notes', metric: 'count' }],
      ['fetch', { id: 'notes:bird' }],
      ['read_record_field', { id: 'notes:bird', field_path: 'text' }],
    ] as const) {
      const routes = await world.routes(async () => {
        const error = await agent.refusal(tool, args)
        expect(error).toMatchObject({ code: 'ambiguous_connection', http_status: 409, retry_with: 'connection_id' })
        // The connection that has the stream comes first.
        const [first] = error.available_connections
        expect(first).toEqual({
          connection_id: 'notebook',
          connector_key: 'notes',
          grant_id: (await world.grant('notes')).id,
          display_name: 'Notebook',
          has_stream: true,
        })
        expect(error.type).toBe('invalid_request_error')
        // The message alone is enough, because some clients show nothing else.
        expect(error.message).toMatch(/4 connections.*"notes" is in: notebook\.$/)
        expect(error.available_connections.slice(1).map((one: any) => one.has_stream)).toEqual([false, false, false])
        expect(error.available_connections).toHaveLength(4)
        expect(error.available_connection_count).toBe(4)
        await agent.use(tool, { ...args, connection_id: first.connection_id })
      })
      // Only the refused read and its retry reach the server. No member is probed.
      expect(routes.filter((route) => route.startsWith('/v1')).length).toBeLessThanOrEqual(2)
    }
    const { text } = await agent.call('query_records', { stream: 'notes' })
    for (const part of ['connection_id=notebook', 'connector_key=notes', `grant_id=${(await world.grant('notes')).id}`])
      expect(text).toContain(part)
  })

  verifies('000.8.1', 'the text marks the connections that have the stream', async () => {
    const agent = await everything()
    const { text } = await agent.call('query_records', { stream: 'notes' })
    expect(text.match(/^- connection_id=.* has notes$/gm)).toEqual([
      expect.stringMatching(/^- connection_id=notebook /),
    ])
    const nowhere = await agent.refusal('query_records', { stream: 'nowhere' })
    expect(nowhere).toMatchObject({ code: 'grant_stream_not_allowed', param: 'stream' })
    expect(nowhere.available_connections).toBeUndefined()
  })

  verifies('004.5.2', 'whether expand is possible depends on the connection', async () => {
    const agent = await everything()
    const args = { stream: 'messages', expand: ['attachments'], limit: 1 }
    const refused = await world.routes(async () => {
      const error = await agent.refusal('query_records', { ...args, connection_id: 'team' })
      expect(error.code).toBe('invalid_expand')
      expect(error.message).toContain('has no relation that can be expanded')
    })
    expect(refused.filter((route) => route.startsWith('/v1'))).toEqual(['/v1/schema'])
    await agent.use('query_records', { ...args, connection_id: 'home' })
  })

  verifies('000.8.1', 'an error lists twelve of many sources and their number', async () => {
    const agent = await many()
    const { text, structured } = await agent.call('query_records', { stream: 'readings' })
    expect(structured.error).toMatchObject({
      code: 'ambiguous_connection',
      available_connection_count: 15,
      available_connections_truncated: true,
    })
    expect(structured.error.available_connections).toHaveLength(12)
    expect(text).toContain('available_connections (12 of 15; schema lists all)')
    expect(await agent.read('schema')).toContain('sensor-14')
  })

  verifies('003.16.1', 'an unscoped search ranks all members, each hit with its source', async () => {
    const agent = await everything()
    const { structured } = await agent.use('search', { query: SHARED_WORD })
    expect(new Set(structured.data.data.map((hit: any) => hit.connector_key))).toEqual(
      new Set(['mail', 'chat', 'notes']),
    )
    const ids = structured.results.map(({ id }: any) => id)
    expect(ids).toHaveLength(5)
    expect(structured.data.meta.package).toMatchObject({ member_count: 3, usable_member_count: 3, partial: false })
    for (const { hits, count } of structured.data.meta.package.source_mix) expect(count).toBe(hits)
    for (const { grant_id, connector_key } of structured.data.data)
      expect(grant_id).toBe((await world.grant(connector_key)).id)
    // One cursor continues the search over all members, in the same order.
    const walked: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await agent.use('search', { query: SHARED_WORD, limit: 2, ...(cursor ? { cursor } : {}) })
      walked.push(...page.structured.results.map(({ id }: any) => id))
      cursor = page.structured.data.next_cursor
      if (!cursor) break
    }
    expect(walked).toEqual(ids)
  })

  verifies(
    ['003.16.2', '003.16.3', 'point 10', 'point 15'],
    'each member is searched only in its own streams',
    async () => {
      const agent = await everything()
      const [mail, chat, notes] = await Promise.all(['mail', 'chat', 'notes'].map((name) => world.grant(name)))
      const before = await Promise.all([mail, chat, notes].map(async (grant) => (await receipts(grant!.id)).length))
      const { structured } = await agent.use('search', { query: SHARED_WORD, streams: ['messages', 'notes'] })
      expect(new Set(structured.data.data.map((hit: any) => hit.connector_key))).toEqual(
        new Set(['mail', 'chat', 'notes']),
      )
      const both = await Promise.all([mail, chat, notes].map(async (grant) => (await receipts(grant!.id)).length))
      expect(both.map((count, index) => count - before[index]!)).toEqual([1, 1, 1])
      const only = await agent.use('search', { query: SHARED_WORD, streams: ['notes'] })
      expect(only.structured.results.map(({ id }: any) => id)).toEqual(['notebook/notes:bird'])
      const after = await Promise.all([mail, chat, notes].map(async (grant) => (await receipts(grant!.id)).length))
      expect(after.map((count, index) => count - both[index]!)).toEqual([0, 0, 1])
    },
  )

  verifies(['003.16.4', 'point 10', 'point 15'], 'a search of one connection reads it alone', async () => {
    const agent = await everything()
    const [mail, chat] = [await world.grant('mail'), await world.grant('chat')]
    const before = [(await receipts(mail.id)).length, (await receipts(chat.id)).length]
    const { structured } = await agent.use('search', { query: SHARED_WORD, connection_id: 'team' })
    expect(structured.results.map(({ id }: any) => id)).toEqual(['team/messages:c3'])
    expect([(await receipts(mail.id)).length - before[0]!, (await receipts(chat.id)).length - before[1]!]).toEqual([
      0, 1,
    ])
  })

  verifies(['003.3.1', 'point 11', 'point 16'], 'a paused member is never offered', async () => {
    const agent = await world.agent(kind, await world.package('partly', 'chat 3', 'notes 3', 'mail 3'))
    const notes = await world.grant('notes 3')
    await world.owner('POST', `/v1/owner/grants/${notes.id}/pause`)
    try {
      const error = await agent.refusal('query_records', { stream: 'messages' })
      expect(error.code).toBe('ambiguous_connection')
      expect(error.available_connections.map((one: any) => one.connection_id).toSorted()).toEqual([
        'home',
        'team',
        'work',
      ])
      const chosen = await agent.refusal('query_records', { stream: 'notes', connection_id: 'notebook' })
      expect(chosen).toMatchObject({ code: 'grant_paused', http_status: 403 })
      expect(chosen.next_step).toMatch(/owner|another/i)
      const { text, structured } = await agent.use('search', { query: SHARED_WORD })
      expect(structured.results.map((hit: any) => hit.connection_id)).not.toContain('notebook')
      expect(text).toMatch(/^warning .*(notes|Notebook|notebook|grt_)/m)
      expect(structured.data.meta.warnings.length).toBeGreaterThan(0)
      expect(structured.data.meta.package).toMatchObject({ member_count: 3, usable_member_count: 2, partial: true })
      expect(await agent.read('schema')).toMatch(/^warning /m)
      const away = await agent.refusal('query_records', { stream: 'notes', connection_id: 'notebook' })
      expect(away).toMatchObject({ code: 'grant_paused', next_step: expect.stringMatching(/schema lists/) })
      expect(away.next_step).not.toMatch(/GET \//)
    } finally {
      await world.owner('POST', `/v1/owner/grants/${notes.id}/resume`)
    }
    await agent.use('query_records', { stream: 'notes', connection_id: 'notebook', limit: 1 })
  })

  verifies('003.3.1', 'a paused and a revoked grant have their own error codes', async () => {
    const access = await world.grant(`chat ${kind}`)
    const agent = await world.agent(kind, access)
    await world.owner('POST', `/v1/owner/grants/${access.id}/pause`)
    const code = async () => (await refusalOnTransport(agent, 'schema')).code
    expect(await code()).toBe('grant_paused')
    await world.owner('POST', `/v1/owner/grants/${access.id}/resume`)
    await agent.use('schema')
    await world.owner('POST', `/v1/owner/grants/${access.id}/revoke`)
    expect(await code()).toBe('grant_revoked')
  })
})

/**
 * The error of a refused call. Over stdio it is a tool result. The hosted server refuses the whole request, with a
 * status that does not make a client sign in again.
 */
async function refusalOnTransport(agent: Awaited<ReturnType<typeof world.agent>>, tool: string): Promise<any> {
  if (agent.isStdio) return agent.refusal(tool)
  const response = await world.get('/mcp', agent.access.token, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  const { error }: any = await response.json()
  expect([response.status, error.http_status]).toEqual([403, 403])
  await expect(agent.client.callTool({ name: tool, arguments: {} })).rejects.toThrow()
  return { code: error.pdpp_code }
}
