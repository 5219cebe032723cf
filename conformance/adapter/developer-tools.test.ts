// Tests of the tools that only the developer entrypoint has, over every transport.
import { escapeHidden, RESULT_BYTES } from '@pdpp/protocol'
import { beforeAll, expect } from 'vitest'
import { declaration, key, stream } from '../../tests/fixtures/declaration.ts'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { type Agent, type AgentKind, onEveryTransport } from './fixtures/agent.ts'
import { blobIdOf, FILES, loadFiles } from './fixtures/files.ts'
import { openWorld } from './fixtures/world.ts'

const EVENT_TOOLS = [
  'event_subscription_capabilities',
  'create_event_subscription',
  'list_event_subscriptions',
  'get_event_subscription',
  'update_event_subscription',
  'delete_event_subscription',
  'send_test_event',
]

const world = openWorld()
const MANY = 90

beforeAll(async () => {
  await loadFiles(world)
  const names = Array.from({ length: MANY }, (_, index) => `${'long_name_'.repeat(6)}${index}`)
  const streams = Object.fromEntries(names.map((name) => [name, stream({ id: key() })]))
  await world.owner('POST', '/connectors', declaration('many', streams))
  await world.owner('POST', '/v1/owner/connections', {
    connector_key: 'many',
    connection_id: 'many',
    display_name: `Press [here](https://evil.example)\u202e ${'x'.repeat(120)}`,
  })
})

const grants = new Map<string, Promise<{ id: string; token: string }>>()
function grant(name: string, request: object): Promise<{ id: string; token: string }> {
  if (!grants.has(name)) {
    const body = { client_name: `Developer ${name}`, ...request }
    const answer = world.owner('POST', '/v1/owner/grants', body)
    grants.set(
      name,
      answer.then(({ grant_id, access_token }) => ({ id: grant_id, token: access_token })),
    )
  }
  return grants.get(name)!
}
const desk = () => grant('desk', { connections: ['desk'] })
const bytesOf = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))

onEveryTransport((kind: AgentKind) => {
  const developer = async (access: Promise<{ id: string; token: string }>) =>
    world.agent(kind, await access, 'developer')

  /** Returns the routes below `/v1` that were called. Checks the token of requests that went over the network. */
  async function routesDuring(agent: Agent, during: () => Promise<unknown>): Promise<string[]> {
    const from = world.proxy.requests.length
    const routes = await world.routes(during)
    const requests = world.proxy.requests.slice(from)
    for (const { authorization } of requests) expect(authorization).toBe(`Bearer ${agent.access.token}`)
    return routes.filter((route) => route.startsWith('/v1/')).map((route) => route.split('?')[0]!)
  }

  verifies('003.8.3', 'the native tools keep the envelopes of the server', async () => {
    const agent = await developer(world.grant('mail'))
    const normal = await world.agent(kind, await world.grant('mail'))
    const { tools } = await agent.client.listTools()
    const { tools: six } = await normal.client.listTools()
    expect(tools.slice(0, 6)).toEqual(six)
    expect(tools.slice(6).map(({ name }) => name)).toEqual(['list_streams', 'fetch_blob', ...EVENT_TOOLS])
    const { token } = await world.grant('mail')
    const schema = await agent.use('schema')
    expect(schema.structured.data).toEqual(await world.rest('/v1/schema?view=compact', token))
    const page = { stream: 'messages', connection_id: 'home', limit: 50, fields: ['subject'] }
    const [here, there] = [await agent.use('query_records', page), await normal.use('query_records', page)]
    const { data: records } = await world.rest(
      '/v1/streams/messages/records?connection_id=home&limit=50&fields=subject',
      token,
    )
    expect(here.structured.data.data.map(({ id }: any) => id)).toEqual(records.map(({ id }: any) => id))
    expect([here.text, here.structured]).toEqual([there.text, there.structured])
    const { data, has_more, object, meta } = await world.rest('/v1/streams', token)
    expect((await agent.use('list_streams')).structured.data).toMatchObject({ object, has_more, meta, data })
    await agent.use('search', { query: 'kestrel' })
  })

  verifies('003.2.1', 'list_streams asks /v1/streams with the same token', async () => {
    const agent = await developer(world.grant('subjects'))
    let result: any
    const routes = await routesDuring(agent, async () => {
      result = await agent.use('list_streams')
    })
    expect(routes).toEqual(['/v1/streams'])
    const { data } = await world.rest('/v1/streams', agent.access.token)
    expect(result.structured.data.data).toEqual(data)
    expect(data.map(({ name, connection_id, connector_key }: any) => [name, connection_id, connector_key])).toEqual([
      ['messages', 'home', 'mail'],
    ])
    const [{ record_count, time_span }] = data
    expect(result.text).toContain('- messages connection_id=home connector_key=mail')
    expect(result.text).toContain(`${record_count} records, ${time_span.earliest.slice(0, 10)}`)
    expect(result.text).toMatch(/Next: schema with stream.*query_records with stream and connection_id/)
    expect(JSON.stringify(result)).not.toMatch(/attachments|notebook|sources\.example|connector_instance_id/)
    const both = await developer(world.grant('mail'))
    const one = await both.use('list_streams', { connection_id: 'work' })
    expect(new Set(one.structured.data.data.map((row: any) => row.connection_id))).toEqual(new Set(['work']))
    expect(await both.refusal('list_streams', { connection_id: 'notebook' })).toMatchObject({
      code: 'connection_not_found',
      http_status: 404,
    })
    expect(await both.refusal('list_streams', { stream: 'messages' })).toMatchObject({ code: 'invalid_argument' })
  })

  verifies('003.2.3', 'a text is read in parts, through /v1/blobs only', async () => {
    const agent = await developer(desk())
    const page = await agent.use('query_records', { stream: 'papers', filter: { id: 'story.txt' } })
    const { blob_id, fetch_url } = page.structured.data.data[0].data.file
    expect(blob_id).toBe(blobIdOf('story.txt'))
    const parts: string[] = []
    const routes = await routesDuring(agent, async () => {
      for (let next: any = { blob_id }; next; ) {
        const { text, structured, media } = await agent.use('fetch_blob', next)
        expect(Math.max(bytesOf(text), bytesOf(structured))).toBeLessThanOrEqual(RESULT_BYTES.default)
        expect([media, structured.shown]).toEqual([[], 'text'])
        expect(text).toContain(structured.window.text)
        parts.push(structured.window.text)
        next = structured.next
        if (next) expect(text.slice(0, 2_000)).toContain(`next: fetch_blob ${JSON.stringify(next)}`)
      }
    })
    expect(parts.length).toBeGreaterThan(2)
    expect(Buffer.from(parts.join('')).equals(FILES['story.txt']!.bytes)).toBe(true)
    expect(new Set(routes)).toEqual(new Set(['/v1/blobs/:blob']))
    const more = await agent.use('fetch_blob', { blob_id: fetch_url, limit_bytes: 28_000 })
    expect(more.structured.window.end_bytes).toBeGreaterThan(20_000)
    // If the offset is inside a character, the part begins with the next character.
    const at = FILES['story.txt']!.bytes.indexOf('€') + 1
    const inside = await agent.use('fetch_blob', { blob_id, offset_bytes: at, limit_bytes: 1 })
    expect(inside.structured.window).toMatchObject({ start_bytes: at + 2, text: expect.stringMatching(/^\./) })
  })

  verifies('003.2.3', 'the type of a file decides how it is shown', async () => {
    const agent = await developer(desk())
    const fetchFile = (name: string, args = {}) => agent.use('fetch_blob', { blob_id: blobIdOf(name), ...args })
    const base64 = (name: string) => FILES[name]!.bytes.toString('base64')
    expect((await fetchFile('dot.png')).media).toEqual([
      { type: 'image', data: base64('dot.png'), mimeType: 'image/png' },
    ])
    expect((await fetchFile('beep.wav')).media).toEqual([
      { type: 'audio', data: base64('beep.wav'), mimeType: 'audio/wav' },
    ])
    const pdf = await fetchFile('small.pdf')
    expect(pdf.media).toEqual([
      {
        type: 'resource',
        resource: { uri: pdf.structured.blob.url, mimeType: 'application/pdf', blob: base64('small.pdf') },
      },
    ])
    expect(pdf.structured.blob).toMatchObject({
      media_type: 'application/pdf',
      size_bytes: 1_200,
      file_name: 'small.pdf',
    })
    expect(pdf.text).toContain(`${pdf.structured.blob.blob_id}: small.pdf, application/pdf, 1,200 bytes.`)
    // A host must not get a file as an image if its bytes are no image.
    expect((await fetchFile('false.png')).media[0]).toMatchObject({
      type: 'resource',
      resource: { mimeType: 'application/octet-stream' },
    })
    const medium = await fetchFile('medium.pdf')
    expect([medium.media, medium.structured.shown]).toEqual([[], 'nothing'])
    expect(medium.structured.next).toMatchObject({ limit_bytes: 20_000 })
    expect((await agent.use('fetch_blob', medium.structured.next)).media[0].resource.blob).toBe(base64('medium.pdf'))
    const large = await fetchFile('large.pdf', { connection_id: 'desk', limit_bytes: 28_000 })
    expect([large.media, large.structured.next, large.structured.shown]).toEqual([[], undefined, 'nothing'])
    expect(bytesOf(large.text) + bytesOf(large.structured)).toBeLessThan(4_000)
    const { command, url } = large.structured.export
    expect(command).toMatch(/^pdpp read blob http\S+ blob_[0-9a-f]{64} --connection desk --output <file>$/)
    for (const part of [command, `GET ${url}`, '3,000,000 bytes', 'Range']) expect(large.text).toContain(part)
    const part = await fetch(url, { headers: { authorization: `Bearer ${agent.access.token}`, range: 'bytes=0-9' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
  })

  verifies('003.2.3', 'texts with hidden characters or other encodings are shown safely', async () => {
    const agent = await developer(desk())
    const fetchFile = (name: string, args = {}) => agent.use('fetch_blob', { blob_id: blobIdOf(name), ...args })
    const note = await fetchFile('note.md')
    expect(note.text).toContain('\\u{202e}')
    expect(note.text).not.toMatch(/\]\(|\u202e/)
    // Hidden characters are escaped in structured output as well, because some hosts show nothing else.
    expect(note.structured.window.text).toBe(escapeHidden(FILES['note.md']!.bytes.toString()))
    expect((await fetchFile('untyped.log')).structured.window).toMatchObject({
      complete: true,
      text: '10:00 began\n10:05 ended\n',
    })
    expect((await fetchFile('latin.txt')).structured).toMatchObject({ shown: 'resource', blob: { size_bytes: 5 } })
    expect((await fetchFile('empty.txt')).structured.window).toMatchObject({ complete: true, text: '', end_bytes: 0 })
    for (const limit_bytes of [undefined, 28_000]) {
      const { text, structured } = await fetchFile('hostile.txt', limit_bytes ? { limit_bytes } : {})
      const max = limit_bytes ? RESULT_BYTES.large : RESULT_BYTES.default
      expect(Math.max(bytesOf(text), bytesOf(structured))).toBeLessThanOrEqual(max)
      expect(structured.next.offset_bytes).toBe(structured.window.end_bytes)
    }
    const outside = await agent.refusal('fetch_blob', { blob_id: blobIdOf('note.md'), offset_bytes: 9_999 })
    expect(outside).toMatchObject({ code: 'range_not_satisfiable', param: 'offset_bytes' })
  })

  verifies('003.2.3', 'only blobs of the grant are read', async () => {
    const agent = await developer(desk())
    const routes = await routesDuring(agent, async () => {
      for (const blob_id of [
        'https://evil.example/v1/blobs/x',
        'file:///etc/passwd',
        '/etc/passwd',
        '../schema',
        '/v1/blobs/..%2fschema',
        '/v1/blobs/x%zz',
        'blob_x/../../schema',
        `${world.server.url}/v1/streams`,
      ])
        expect(await agent.refusal('fetch_blob', { blob_id })).toMatchObject({
          code: 'invalid_argument',
          param: 'blob_id',
        })
      const both = { blob_id: `/v1/blobs/${blobIdOf('dot.png')}?connection_id=attic`, connection_id: 'desk' }
      expect(await agent.refusal('fetch_blob', both)).toMatchObject({ param: 'connection_id' })
    })
    expect(routes).toEqual([])
    const blob_id = blobIdOf('dot.png')
    const other = async (access: ReturnType<typeof grant>) =>
      world.agent('hosted 2026-07-28', await access, 'developer')
    const names = await other(
      grant('names', { connections: ['desk'], streams: [{ name: 'papers', fields: ['id', 'filename'] }] }),
    )
    const attic = await other(grant('attic', { connections: ['attic'] }))
    const story = { blob_id: blobIdOf('story.txt') }
    for (const error of [
      await names.refusal('fetch_blob', { blob_id }),
      await attic.refusal('fetch_blob', story),
      await agent.refusal('fetch_blob', { blob_id, connection_id: 'attic' }),
      await agent.refusal('fetch_blob', { blob_id: `blob_${'0'.repeat(64)}` }),
    ])
      expect(error).toMatchObject({ code: 'blob_not_found', http_status: 404 })
    const two = await other(grant('two', { connections: ['desk', 'attic'] }))
    const question = await two.refusal('fetch_blob', { blob_id })
    expect(question).toMatchObject({ code: 'ambiguous_connection', retry_with: 'connection_id' })
    expect(question.available_connections.map((each: any) => each.connection_id).toSorted()).toEqual(['attic', 'desk'])
    expect((await two.use('fetch_blob', { blob_id, connection_id: 'attic' })).media).toHaveLength(1)
  })

  verifies('003.2.3', 'the receipt names record, field, tool and surface', async () => {
    const agent = await developer(desk())
    await agent.use('fetch_blob', { blob_id: blobIdOf('small.pdf') })
    const { data } = await world.owner('GET', `/v1/owner/receipts?grant_id=${agent.access.id}&limit=1`)
    expect(data[0]).toMatchObject({
      surface: agent.isStdio ? 'stdio-developer' : 'mcp-developer',
      operation: agent.isStdio ? 'blob' : 'fetch_blob',
      stream: 'papers',
      records: [{ connection_id: 'desk', record_id: 'small.pdf' }],
      bytes: 1_200,
      outcome: 'ok',
    })
    expect(data[0].fields).toContain('file')
  })
})

verifies('003.2.1', 'a package lists the streams of all its members, each with its grant', async () => {
  const agent = await world.agent('hosted 2026-07-28', await world.package('developers', 'chat', 'notes'), 'developer')
  const { text, structured } = await agent.use('list_streams')
  const rows = structured.data.data
  expect(new Set(rows.map((row: any) => row.connection_id))).toEqual(new Set(['team', 'notebook']))
  for (const { grant_id } of rows) expect(text).toContain(`grant_id=${grant_id}`)
})

verifies.each('003.2.1', ['stdio 2026-07-28', 'hosted 2025-11-25'] as const)(
  'a long list comes in parts that together are complete (%s)',
  async (kind) => {
    const agent = await world.agent(kind, await grant('many', { connections: ['many'] }), 'developer')
    const seen: string[] = []
    let next: object | undefined = {}
    for (let parts = 0; next; parts++) {
      const { text, structured } = await agent.use('list_streams', next)
      expect(Math.max(bytesOf(text), bytesOf(structured))).toBeLessThanOrEqual(RESULT_BYTES.default)
      expect(text).not.toMatch(/\]\(|\u202e/)
      seen.push(...structured.data.data.map(({ name }: any) => name))
      for (const { name } of structured.data.data) expect(text).toContain(`- ${name} connection_id=many`)
      next = structured.next
      expect(structured.data.has_more).toBe(next !== undefined)
      if (next) expect(text.slice(0, 2_000)).toContain(`more: list_streams ${JSON.stringify(next)}`)
      expect(parts).toBeLessThan(30)
    }
    expect([seen.length, new Set(seen).size]).toEqual([MANY, MANY])
    expect((await agent.use('list_streams', { offset: 5_000 })).structured.data.data).toEqual([])
  },
)
