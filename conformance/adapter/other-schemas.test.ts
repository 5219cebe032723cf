// Full schemas of other implementations: rows that they repeat are shown once, and an ambiguous source is an error.
import { expect } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { agentOf, otherServer } from './fixtures/other-server.ts'

const row = (connection: string) => ({
  name: 'entries',
  primary_key: ['id'],
  schema: { type: 'object', properties: { id: { type: 'string' } } },
  granted_connections: [{ connection_id: connection, display_name: `Diary ${connection}` }],
})

const schemaWith = (...connections: string[]) => ({
  object: 'schema',
  detail: 'full',
  connectors: connections.map((id) => ({ connector_key: `journal-${id}`, streams: [row(id)] })),
  // These are the same rows again, outside of their connectors.
  streams: connections.map(row),
})

const agentWithSchemaOf = async (...connections: string[]) => {
  const other = await otherServer(({ path, query }) => {
    if (path !== '/v1/schema') return { status: 404, body: {} }
    const connectionId = query.get('connection_id')
    return { body: schemaWith(...connections.filter((id) => connectionId === null || id === connectionId)) }
  })
  return agentOf(other.url)
}

verifies('000.5.6', 'a full schema with two sources is ambiguous', async () => {
  const agent = await agentWithSchemaOf('one', 'two')
  const error = await agent.refusal('schema', { stream: 'entries', detail: 'full' })
  expect(error).toMatchObject({ code: 'ambiguous_connection', retry_with: 'connection_id' })
  expect(error.available_connections.map(({ connection_id }: any) => connection_id)).toEqual(['one', 'two'])
  const { structured } = await agent.use('schema', { stream: 'entries', detail: 'full', connection_id: 'two' })
  expect(JSON.stringify(structured)).not.toContain('Diary one')
})

verifies('000.5.6', 'rows that are listed twice are shown once', async () => {
  const { structured, text } = await (await agentWithSchemaOf('one')).use('schema', {
    stream: 'entries',
    detail: 'full',
  })
  expect(structured.data.connectors[0].streams).toEqual([row('one')])
  expect(structured.data).not.toHaveProperty('streams')
  expect(text.match(/Diary one/g)!.length).toBeLessThanOrEqual(2)
})

verifies('000.5.1', 'the text names all two hundred streams of a connector', async () => {
  const names = Array.from({ length: 200 }, (_, n) => `entries_of_volume_${n + 1}`)
  const streams = names.map((name) => ({ name, record_count: 3 }))
  const granted_connections = [{ connection_id: 'cin_1', display_name: 'Shelf' }]
  const body = {
    object: 'schema',
    detail: 'compact',
    connectors: [{ connector_key: 'shelf', granted_connections, streams }],
  }
  const other = await otherServer(({ path }) => (path === '/v1/schema' ? { body } : { status: 404, body: {} }))
  const { text } = await (await agentOf(other.url)).use('schema')
  const namesInText = new Set(text.match(/\bentries_of_volume_\d+\b/g))
  expect(names.filter((name) => !namesInText.has(name))).toEqual([])
})
