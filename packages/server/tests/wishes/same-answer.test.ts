// Missing and hidden things get equal answers on every surface: by bytes, headers, log and work.
import { OWNER } from '@pdpp/server'
import { expect, vi } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { connectedAgent, LIST, wishServer } from './wish-support.ts'

/** Two names of equal length: a stream of a source that the agent does not read, and one that is nowhere. */
const HERE = 'events'
const NOWHERE = 'evenks'

const REQUESTS: readonly ((stream: string) => string)[] = [
  (stream) => `/v1/streams/${stream}/records`,
  (stream) => `/v1/streams/${stream}/records/e1`,
  (stream) => `/v1/streams/${stream}`,
  (stream) => `/v1/streams/${stream}/aggregate?metric=count`,
  (stream) => `/v1/streams/${stream}/records/e1/field-window?field=what`,
  (stream) => `/v1/search?q=event&streams=${stream}`,
  (stream) => `/v1/schema?stream=${stream}`,
]

verifies(
  ['point 43', 'point 35', 'checklist 32'],
  'a stream that is here and one that is not are answered alike',
  async () => {
    const server = await wishServer()
    const agent = await connectedAgent(server)
    const { sources, connections, records, receipts } = server.server.context.storage
    const work = [
      vi.spyOn(sources, 'list'),
      vi.spyOn(sources, 'find'),
      vi.spyOn(connections, 'list'),
      vi.spyOn(connections, 'find'),
      vi.spyOn(records, 'page'),
      vi.spyOn(records, 'count'),
    ]
    const ask = async (stream: string, path: (stream: string) => string) => {
      for (const spy of work) spy.mockClear()
      const { status, headers, text, body } = await agent.get(path(stream))
      const kept = [...headers].filter(([name]) => !['date', 'request-id', 'x-request-id'].includes(name))
      const token = new URL(body.error.request_access_url).pathname.slice('/wishes/'.length)
      const asked = Buffer.from(token, 'base64url').subarray(16).toString()
      const shown = text.replace(token, '').replace(/req_\w+/, '')
      const calls = work.map((spy) => spy.mock.calls.length)
      return {
        status,
        kept,
        length: text.length,
        calls,
        words: [shown, asked].join('\n').replaceAll(stream, '<stream>'),
      }
    }
    for (const path of REQUESTS) {
      // The first request fills caches that belong to neither name.
      await agent.get(path('nothing'))
      const here = await ask(HERE, path)
      expect([path(''), here.status]).toEqual([path(''), 403])
      expect(await ask(NOWHERE, path)).toEqual(here)
    }
    const tool = async (stream: string) => {
      const { structuredContent, content } = await agent.tool('query_records', { stream })
      expect(structuredContent.error.request_access_url).toContain(`${server.origin}/wishes/`)
      expect(content[0].text).toContain(structuredContent.error.request_access_url)
      return JSON.stringify([structuredContent, content]).length
    }
    expect(await tool(NOWHERE)).toBe(await tool(HERE))
    // The owner's log and counts have the same shape, too.
    const all = await server.server.context.wishes.list(OWNER)
    const of = (stream: string) => {
      const { times, state, lacks } = all.find((wish) => wish.lacks?.stream === stream)!
      return [times, state, lacks?.kind]
    }
    expect(of(NOWHERE)).toEqual(of(HERE))
    const { receipts: log } = await receipts.list(OWNER, { limit: 50, outcome: 'refused' })
    const outcomes = (stream: string) => log.filter((one) => one.stream === stream).map(({ outcome }) => outcome)
    expect(outcomes(NOWHERE)).toEqual(outcomes(HERE))
  },
)

verifies(['point 43', 'point 5'], 'hidden values and times change no byte of a refusal', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const asks = [`${LIST}?fields=body`, `${LIST}?filter[sent_at][lt]=2026-01-01T01:00:00Z`, `${LIST}?sort=body`]
  const answers = async () =>
    Promise.all(
      asks.map(async (path) => {
        const { status, text } = await agent.get(path)
        return [status, text.replace(/req_\w+/, '')]
      }),
    )
  const before = await answers()
  expect(before.map(([status]) => status)).toEqual([403, 403, 403])
  // Everything that the agent cannot see is removed, and other data is added.
  await server.owner('DELETE', '/v1/streams/messages/records/m0?connection_id=home')
  const other = {
    id: 'm3',
    subject: 'Subject 3',
    body: 'x'.repeat(5_000),
    sender: 'z',
    sent_at: '2026-01-01T03:00:00.000Z',
  }
  await server.ingest('messages', 'home', [{ key: 'm3', data: other, emitted_at: '2026-02-01T00:00:00Z' }])
  expect(await answers()).toEqual(before)
})
