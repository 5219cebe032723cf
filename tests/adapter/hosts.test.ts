// Hosts as they are known to behave. The part of a result that each shows to its model is enough for an answer, its
// evidence and the next step.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type AdapterServer, startAdapter } from './adapter-server.ts'
import { STORY, storySource } from './story-data.ts'

let server: AdapterServer
beforeAll(async () => {
  server = await startAdapter([storySource])
})
afterAll(() => server.close())

interface Result {
  readonly content: { readonly text?: string }[]
  readonly structuredContent?: unknown
}
type Call = (tool: string, args: object) => Promise<Result>
/** The part of a result that the model gets. */
type View = (result: Result) => string

const textOf = ({ content }: Result) => content[0]?.text ?? ''
const structuredOf = ({ structuredContent }: Result) => JSON.stringify(structuredContent)
const kilobytes = (text: string, from: number, to?: number) => Buffer.from(text).subarray(from, to).toString('utf8')

/** Copilot CLI and Codex: ten kilobytes, the middle dropped. */
const middleCut = (text: string) =>
  Buffer.byteLength(text) <= 10_240 ? text : `${kilobytes(text, 0, 5_120)}…truncated…${kilobytes(text, -5_120)}`

const requestInit = () => ({ headers: { authorization: `Bearer ${server.token}` } })
const address = () => new URL(`${server.url}/mcp`)

async function modernClient(): Promise<Client> {
  const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(address(), { requestInit: requestInit() }))
  onTestFinished(() => client.close())
  return client
}

async function legacyClient(): Promise<ClientV1> {
  const client = new ClientV1({ name: 'host', version: '1.0.0' })
  // The v1 SDK's own types disagree with each other under exactOptionalPropertyTypes.
  await client.connect(new TransportV1(address(), { requestInit: requestInit() }) as never)
  onTestFinished(() => client.close())
  // It checks results against the listed schemas from now on.
  await client.listTools()
  return client
}

const calling =
  (client: Client | ClientV1): Call =>
  async (name, args) =>
    (await client.callTool({ name, arguments: args as Record<string, unknown> })) as Result

/** An id as a reader finds it in JSON or in text. In our text it contains no spaces. */
const firstId = (seen: string, stream: string) => new RegExp(`home/${stream}:[\\w%.-]+`).exec(seen)?.[0]

/** Finds a fact, opens its evidence, reads what comes after it, and pages through a list. */
async function story(call: Call, view: View): Promise<void> {
  const found = view(await call('search', { query: STORY.question }))
  const id = firstId(found, 'messages')!
  expect(found).toContain(STORY.asked)

  const opened = view(await call('fetch', { id }))
  expect(opened).toContain(STORY.asked)
  expect(opened).toContain('Ines')
  expect(opened).toContain(id)

  const around = view(
    await call('query_records', { stream: 'messages', around: id, limit: 3, fields: ['author', 'text'] }),
  )
  expect(around).toContain(STORY.answer)

  let [pages, cursor] = [0, '']
  do {
    const page = view(await call('query_records', { stream: 'messages', limit: 100, ...(cursor ? { cursor } : {}) }))
    cursor = /next_cursor(?:=|":")([\w-]+)/.exec(page)?.[1] ?? ''
    pages++
  } while (cursor && pages < 50)
  expect(pages).toBeGreaterThan(3)
  expect(pages).toBeLessThan(50)

  const hit = view(await call('search', { query: STORY.noteQuery }))
  const noteId = firstId(hit, 'notes')!
  expect(hit).toContain(STORY.code)
  const window = { id: noteId, field_path: 'body', q: 'door code', before_chars: 100, after_chars: 100 }
  expect(view(await call('read_record_field', window))).toContain(`the door code is ${STORY.code}`)
}

const views: [string, View][] = [
  ['only the text (Cursor, Amazon Q)', textOf],
  ['only structured output (Claude Code, Codex)', structuredOf],
  ['text, ten kilobytes with the middle cut (Copilot CLI)', (result) => middleCut(textOf(result))],
  ['structured output, ten kilobytes with the middle cut (Codex)', (result) => middleCut(structuredOf(result))],
  ['a preview of two kilobytes of text', (result) => kilobytes(textOf(result), 0, 2_048)],
  ['a preview of two kilobytes of structured output', (result) => kilobytes(structuredOf(result), 0, 2_048)],
]

describe.each(views)('a host that shows %s', (_name, view) => {
  test('with the current SDK', async () => story(calling(await modernClient()), view))
  test('with the first SDK', async () => story(calling(await legacyClient()), view))
})

test('instructions and descriptions survive the cuts of hosts', async () => {
  const client = await modernClient()
  const { tools } = await client.listTools()
  for (const { description } of tools) expect(description!.length).toBeLessThanOrEqual(1_024)
  // About four characters to a token: 5,000 tokens is where one host refuses.
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(6_000)
  const head = client.getInstructions()!.slice(0, 512)
  for (const word of ['schema', 'search', 'connection_id', 'cursor', 'filter']) expect(head).toContain(word)
})

test('a text that is too large for a preview begins with the next call', async () => {
  const call = calling(await modernClient())
  const id = firstId(textOf(await call('search', { query: STORY.noteQuery })), 'notes')!
  for (const view of [textOf, structuredOf]) {
    const large = view(await call('read_record_field', { id, field_path: 'body', limit_chars: 16_384 }))
    expect(Buffer.byteLength(large)).toBeGreaterThan(10_240)
    for (const seen of [middleCut(large), kilobytes(large, 0, 2_048)]) {
      const offset = Number(/"offset_chars":(\d+)/.exec(seen)?.[1])
      const next = structuredOf(await call('read_record_field', { id, field_path: 'body', offset_chars: offset }))
      expect(next).toContain(`"start_chars":${offset}`)
    }
  }
})

describe('a host that knows search and fetch alone', () => {
  test('gets results and documents that can be cited', async () => {
    const call = calling(await legacyClient())
    const { results } = (await call('search', { query: STORY.question })).structuredContent as any
    expect(results.length).toBeGreaterThan(0)
    for (const { id, title, url } of results) {
      expect(id).not.toBe('')
      expect(title).not.toBe('')
      expect(new URL(url).origin).toBe(server.url)
      expect(new URL(url).pathname).toBe(`/r/${encodeURIComponent(id)}`)
    }
    expect(new Set(results.map(({ url }: any) => url)).size).toBe(results.length)
    const result = await call('fetch', { id: results[0].id })
    const document = JSON.parse(textOf(result))
    expect(document).toEqual(result.structuredContent)
    expect(Object.keys(document).sort()).toEqual(['id', 'metadata', 'text', 'title', 'url'])
    expect(document.url).toBe(results[0].url)
    expect(document.text).toContain(STORY.asked)
    // The page behind a citation exists and asks its visitor to sign in.
    expect((await fetch(document.url, { redirect: 'manual' })).status).toBeLessThan(404)
  })
})

test('a host with a day-old list of tools: names of before still work', async () => {
  const call = calling(await legacyClient())
  const found = await call('search', { q: STORY.noteQuery, mode: 'lexical' })
  const id = firstId(textOf(found), 'notes')!
  const [connection_id, stream, record_id] = id.split(/[/:]/)
  const old = { connection_id, stream, record_id, field_path: 'body' }
  const window = (await call('read_record_field', { ...old, q: 'door code' })) as any
  expect(textOf(window)).toContain(STORY.code)
  const first = (await call('read_record_field', old)) as any
  const cursor = String(first.structuredContent.next.offset_chars)
  expect(((await call('read_record_field', { ...old, cursor })) as any).structuredContent.window.start_chars).toBe(
    Number(cursor),
  )
  const legacyId = await call('fetch', { id: `${stream}:${record_id}` })
  expect(JSON.parse(textOf(legacyId)).id).toBe(id)
})

test('a host of 2025-03-26 that sends no version header (goose)', async () => {
  const post = async (message: object) => {
    const response = await fetch(address(), {
      method: 'POST',
      headers: {
        ...requestInit().headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
    return response.status === 202 ? undefined : ((await response.json()) as any).result
  }
  const clientInfo = { name: 'goose', version: '1' }
  const capabilities = { roots: { listChanged: true }, sampling: {} }
  const params = { protocolVersion: '2025-03-26', capabilities, clientInfo }
  expect((await post({ id: 1, method: 'initialize', params })).protocolVersion).toBe('2025-03-26')
  await post({ method: 'notifications/initialized' })
  expect((await post({ id: 2, method: 'tools/list' })).tools).toHaveLength(6)
  await story((name, args) => post({ id: 3, method: 'tools/call', params: { name, arguments: args } }), textOf)
})
