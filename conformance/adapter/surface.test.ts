import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDisplayName } from '@modelcontextprotocol/client'
import { Client as Sdk1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Sdk1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Sdk1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { INSTRUCTIONS, TOOLS } from '@pdpp/mcp-server'
import { expect, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { ADAPTER, onEveryTransport } from './fixtures/agent.ts'
import { openWorld, type World } from './fixtures/world.ts'

const world = openWorld()
const NAMES = ['schema', 'query_records', 'aggregate', 'search', 'fetch', 'read_record_field']
const propertiesOf = (tool: { inputSchema: unknown }) => (tool.inputSchema as any).properties as Record<string, any>

onEveryTransport((kind) => {
  const mail = async () => world.agent(kind, await world.grant('mail'))
  const tools = async () => (await (await mail()).client.listTools()).tools

  // The list has six tools and not five, because 001 added read_record_field (point 1 of docs/decisions.md).
  verifies(['000.1.2', '000.2.1'], 'the list is the six read tools in their order', async () => {
    const listed = await tools()
    expect(listed.map(({ name }) => name)).toEqual(NAMES)
    expect(JSON.parse(JSON.stringify(listed))).toEqual(JSON.parse(JSON.stringify(TOOLS)))
    expect(JSON.stringify(listed)).not.toMatch(/list_streams|fetch_blob|subscription|webhook|profile|toolset/i)
    const agent = await mail()
    for (const name of ['list_streams', 'fetch_blob', 'create_event_subscription', 'toString', '__proto__'])
      await expect(agent.client.callTool({ name, arguments: {} })).rejects.toThrow(/There is no tool/)
  })

  verifies(['000.2.2', '003.2.4'], 'only an optional connection_id distinguishes sources', async () => {
    for (const tool of await tools()) {
      const { connection_id } = propertiesOf(tool)
      expect(connection_id).toMatchObject({ type: 'string', description: expect.stringMatching(/source/) })
      expect(tool.inputSchema.required ?? []).not.toContain('connection_id')
      expect(tool.inputSchema['additionalProperties']).toBe(false)
      expect(JSON.stringify(tool)).not.toMatch(/connector_instance_id|connector_id|https?:\/\//)
    }
  })

  verifies('003.10.1', 'filter is an object of scalars and ranges, never a string', async () => {
    for (const tool of (await tools()).filter(({ name }) => ['query_records', 'aggregate', 'search'].includes(name))) {
      const { filter } = propertiesOf(tool)
      expect(filter.type).toBe('object')
      expect(filter.anyOf ?? filter.oneOf).toBeUndefined()
      const kinds = filter.additionalProperties.anyOf.map(({ type }: any) => type)
      expect(kinds).toEqual(['string', 'number', 'boolean', 'object'])
      const range = filter.additionalProperties.anyOf.at(-1)
      expect(range.propertyNames.enum).toEqual(['gte', 'gt', 'lte', 'lt'])
    }
  })

  verifies('003.13.1', 'the description of aggregate says what other_count means', async () => {
    const { description } = (await tools()).find(({ name }) => name === 'aggregate')!
    // A complete list has other_count too, with 0. So only a positive number means that the list is cut.
    expect(description).toMatch(/\bother_count above 0 means that there are more groups than shown\./)
    const agent = await mail()
    const count = async (limit: number) => {
      const args = { stream: 'messages', metric: 'count', group_by: ['sender'], limit }
      return (await agent.use('aggregate', args)).structured.data.other_count
    }
    expect(await count(1)).toBeGreaterThan(0)
    expect((await count(100)) ?? 0).toBe(0)
  })

  test('every tool has a title in everyday words', async () => {
    const listed = await tools()
    for (const tool of listed) {
      expect(tool.title).toMatch(/^[A-Z][a-z ]{5,40}$/)
      expect(getDisplayName(tool)).toBe(tool.title)
    }
    expect(new Set(listed.map(({ title }) => title)).size).toBe(listed.length)
    for (const name of ['schema', 'search'])
      expect(listed.find((tool) => tool.name === name)!.description).toMatch(
        /the user's .*mail, chats, notes, calendar/,
      )
  })

  verifies(['004.1.1', 'point 14', 'point 29'], 'the first 512 characters of the instructions are enough', async () => {
    const instructions = (await mail()).client.getInstructions()!
    expect(instructions).toBe(INSTRUCTIONS)
    const first = instructions.slice(0, 512)
    for (const pattern of [/schema first/, /connection_id/, /filter is a typed object/, /limit and fields/, /cursor/])
      expect(first).toMatch(pattern)
    expect(first).toMatch(/Read-only.*grant/s)
    // Point 14: a package needs connection_id, one grant does not.
    expect(first).toMatch(/several sources, pass connection_id; connections of one grant are merged without it\./)
    expect(first).toContain('for a sum or a number use aggregate')
    expect(instructions).not.toMatch(/owner token|control-plane|bearer|password/i)
    expect(instructions.length).toBeLessThanOrEqual(1_200)
    // Point 29: the normal surface has no event tools, so it names changes_since and says where events are set up.
    expect(instructions).toMatch(
      /changes_since \("now" or "beginning" at first\).*notifications are set up outside this surface\.$/,
    )
  })

  verifies('004.3.1', 'no guidance is repeated from tool to tool', async () => {
    const listed = await tools()
    const sentences = listed.flatMap((tool) => [
      ...new Set(
        JSON.stringify(tool)
          .match(/"description":"(?:[^"\\]|\\.)*"/g)!
          .map((text) => text.slice(15, -1))
          .flatMap((text) => text.split(/(?<=[.:;]) /))
          .filter((sentence) => sentence.length > 60),
      ),
    ])
    expect(new Set(sentences).size).toBe(sentences.length)
    expect(JSON.stringify(listed)).not.toMatch(/sign(ing|ature)|deliver|retr(y|ies)|ambiguous_connection/i)
  })

  verifies('004.2.2', 'each description has its action and its endpoint', async () => {
    const endpoints = [
      'GET /v1/schema',
      'GET /v1/streams/{stream}/records',
      'GET /v1/streams/{stream}/aggregate',
      'GET /v1/search',
      'GET /v1/streams/{stream}/records/{id}',
      'GET /v1/streams/{stream}/records/{id}/field-window',
    ]
    for (const [index, { description, annotations }] of (await tools()).entries()) {
      expect(description).toMatch(/^[A-Z]/)
      expect(description!.endsWith(`Read-only, ${endpoints[index]}.`)).toBe(true)
      expect(description!.length).toBeLessThan(300)
      expect(annotations).toMatchObject({ readOnlyHint: true })
    }
    const pointing = (await tools()).filter(({ description }) => /schema/.test(description!))
    expect(pointing.length).toBeGreaterThanOrEqual(4)
  })

  verifies(['004.4.1', 'point 7'], 'structured output is named, and narrower reads come first', async () => {
    const listed = await tools()
    expect(JSON.stringify(listed)).not.toMatch(/hidden|invisible|not (shown|visible) to the model/i)
    const { description } = listed.find(({ name }) => name === 'query_records')!
    for (const pattern of [/structured output/, /cursor/, /fields/, /search or aggregate/])
      expect(description).toMatch(pattern)
  })

  verifies(['003.5.1', '003.5.2', '003.17.1'], 'the server has its name and, if hosted, its icon', async () => {
    const agent = await mail()
    const { name, version, icons } = agent.client.getServerVersion()!
    expect(name).toBe('pdpp-mcp-server')
    const { version: own } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../packages/mcp/package.json'), 'utf8'),
    )
    expect(version).toBe(own)
    const icon = { src: `${world.server.url}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }
    expect(icons).toEqual(agent.isStdio ? undefined : [icon])
    const capabilities = agent.client.getServerCapabilities()!
    expect(capabilities).toEqual({ tools: { listChanged: false }, resources: { listChanged: false } })
    if (icons) expect((await fetch(icons[0]!.src)).headers.get('content-type')).toContain('image/svg+xml')
  })
})

test.each(['stdio', 'hosted'] as const)(
  'version 1 of the SDK gets the same list, result and error over %s',
  async (transport) => {
    const access = await world.grant('mail')
    world.cache(access)
    const client = new Sdk1Client({ name: 'conformance', version: '1' })
    await client.connect(sdk1Transport(world, transport, access.token, access.id))
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES)
      const found: any = await client.callTool({ name: 'search', arguments: { query: 'kestrel' } })
      expect(found.structuredContent.results).toHaveLength(3)
      for (const [name, args, code] of [
        ['query_records', { stream: 'notes' }, 'grant_stream_not_allowed'],
        ['fetch', { id: 'messages:shared' }, 'ambiguous_connection'],
        ['search', { query: 'x', filter: 'y' }, 'invalid_filter'],
        ['schema', { detail: 'full' }, 'invalid_argument'],
        ['aggregate', { stream: 'messages', metric: 'sum', field: 'nothing' }, 'unknown_field'],
        ['read_record_field', { id: 'home/messages:long', field_path: 'nothing' }, /field/],
      ] as const) {
        const refused: any = await client.callTool({ name, arguments: args })
        expect(refused.isError).toBe(true)
        expect(refused.structuredContent.error.code).toMatch(code)
        expect(refused.content[0].text).toContain(refused.structuredContent.error.message.slice(0, 40))
      }
    } finally {
      await client.close()
    }
  },
)

function sdk1Transport({ server, proxy, cacheRoot, dataDir }: World, kind: string, token: string, grant: string): any {
  if (kind === 'hosted')
    return new Sdk1Http(new URL('/mcp', server.url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    })
  const args = [ADAPTER, '--provider-url', proxy.url, '--grant', grant, '--cache-root', cacheRoot]
  return new Sdk1Stdio({ command: process.execPath, args, cwd: dataDir, stderr: 'ignore' })
}
