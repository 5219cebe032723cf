// Other servers that cannot return a part of a schema, or that have more modes of search.
import { RESULT_BYTES } from '@pdpp/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { describedFields } from './fixtures/described-fields.ts'
import { type Answers, agentOf, otherServer } from './fixtures/other-server.ts'

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const stream = {
  name: 'entries',
  primary_key: ['id'],
  schema: { type: 'object', properties: {} },
  granted_connections: [{ connection_id: 'cin_1', display_name: 'Pocket diary' }],
  field_capabilities: describedFields(401),
  expand_capabilities: [],
}

verifies('000.5.6', 'a full schema is shown in parts, each field once', async () => {
  const wide = { connector_key: 'journal', streams: [stream] }
  const other = await otherServer(({ path, query }) => {
    if (path !== '/v1/schema') return { status: 404, body: {} }
    return { body: { object: 'schema', connectors: query.get('stream') === stream.name ? [wide] : [] } }
  })
  const agent = await agentOf(other.url)
  const seen: string[] = []
  for (let fields_offset: number | undefined = 0; fields_offset !== undefined; ) {
    const args = { stream: stream.name, detail: 'full', fields_offset }
    const { text, structured }: { text: string; structured: any } = await agent.use('schema', args)
    expect(jsonBytes(structured)).toBeLessThanOrEqual(RESULT_BYTES.large)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(RESULT_BYTES.large)
    const { properties } = structured.data.connectors[0].streams[0].schema
    expect(properties[Object.keys(properties)[0]!]).toMatchObject({ type: 'string' })
    seen.push(...Object.keys(properties))
    fields_offset = structured.data.field_page.next_fields_offset ?? undefined
  }
  expect(seen).toEqual(Object.keys(describedFields(401)))
  const flagged: string[] = []
  for (let fields_offset: number | undefined = 0; fields_offset !== undefined; ) {
    const args = { stream: stream.name, ...(fields_offset > 0 ? { fields_offset } : {}) }
    const { text, structured }: { text: string; structured: any } = await agent.use('schema', args)
    expect(jsonBytes(structured)).toBeLessThanOrEqual(RESULT_BYTES.default)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(RESULT_BYTES.default)
    flagged.push(...Object.keys(structured.data.connectors[0].streams[0].field_capabilities))
    const [, next] = /fields_offset=(\d+)/.exec(text) ?? []
    fields_offset = next === undefined ? undefined : Number(next)
  }
  expect(flagged).toEqual(seen)
  const error = await agent.refusal('schema', { stream: 'nothing' })
  expect(error).toMatchObject({ code: 'not_found', param: 'stream' })
  expect(error.next_step).toContain('schema without arguments')
})

test('a mode of search is used only if the server has it', async () => {
  const answers =
    (metadata: object): Answers =>
    ({ path }) =>
      path.startsWith('/.well-known')
        ? { body: metadata }
        : path.startsWith('/v1/search')
          ? { body: { object: 'list', has_more: false, data: [] } }
          : { status: 404, body: {} }
  const searchCall = async (metadata: object, mode?: string) => {
    const other = await otherServer(answers(metadata))
    const agent = await agentOf(other.url)
    const before = other.requests.length
    const result = await agent.call('search', { query: 'x', ...(mode ? { mode } : {}) })
    const [call] = other.requests.slice(before).filter(({ path }) => path.startsWith('/v1/search'))
    return { ...(call ? { path: call.path, mode: call.query.get('mode') } : {}), error: result.structured.error }
  }
  const apart = { capabilities: { semantic_retrieval: { supported: true, endpoint: '/v1/search/semantic' } } }
  expect(await searchCall(apart, 'semantic')).toMatchObject({ path: '/v1/search/semantic', mode: null })
  expect(await searchCall(apart)).toMatchObject({ path: '/v1/search', mode: null })
  const together = { pdpp_discovery_hints: { search: { modes: ['lexical', 'hybrid'] } } }
  expect(await searchCall(together, 'hybrid')).toMatchObject({ path: '/v1/search', mode: 'hybrid' })
  expect(await searchCall(together, 'lexical')).toMatchObject({ path: '/v1/search', mode: null })
  for (const [metadata, modes] of [
    [apart, 'It has: lexical, semantic.'],
    [{}, 'It has: lexical.'],
    [{ capabilities: { hybrid_retrieval: { supported: true, endpoint: 'https://elsewhere.example/x' } } }, 'lexical.'],
  ] as const) {
    const { error, path } = (await searchCall(metadata, 'hybrid')) as any
    expect(path).toBeUndefined()
    expect(error).toMatchObject({ code: 'unsupported_search_mode', param: 'mode' })
    expect(error.message).toContain(modes)
    expect(error.next_step).toContain('without mode')
  }
})
