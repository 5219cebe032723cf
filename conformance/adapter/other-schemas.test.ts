// Full schemas of other implementations: what they repeat is said once, and what they leave open is asked.
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
  // The same rows once more, beside their connectors.
  streams: connections.map(row),
})

const agentBefore = async (...connections: string[]) => {
  const other = await otherServer(({ path, query }) => {
    if (path !== '/v1/schema') return { status: 404, body: {} }
    const asked = query.get('connection_id')
    return { body: schemaWith(...connections.filter((id) => asked === null || id === asked)) }
  })
  return agentOf(other.url)
}

verifies('000.5.6', 'two sources in a full answer make the adapter ask which one', async () => {
  const agent = await agentBefore('one', 'two')
  const error = await agent.refusal('schema', { stream: 'entries', detail: 'full' })
  expect(error).toMatchObject({ code: 'ambiguous_connection', retry_with: 'connection_id' })
  expect(error.available_connections.map(({ connection_id }: any) => connection_id)).toEqual(['one', 'two'])
  const { structured } = await agent.use('schema', { stream: 'entries', detail: 'full', connection_id: 'two' })
  expect(JSON.stringify(structured)).not.toContain('Diary one')
})

verifies('000.5.6', 'rows that are listed twice are shown once', async () => {
  const { structured, text } = await (await agentBefore('one')).use('schema', { stream: 'entries', detail: 'full' })
  expect(structured.data.connectors[0].streams).toEqual([row('one')])
  expect(structured.data).not.toHaveProperty('streams')
  expect(text.match(/Diary one/g)!.length).toBeLessThanOrEqual(2)
})

verifies('000.5.1', 'of one connector with two hundred streams every name is in the text', async () => {
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
  const told = new Set(text.match(/\bentries_of_volume_\d+\b/g))
  expect(names.filter((name) => !told.has(name))).toEqual([])
})
