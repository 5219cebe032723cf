// A chat in which the answer is next to the question, and the answers that agents get about it over REST and MCP.
import { declaration, key, searched, stream, text, time } from '../../../../tests/fixtures/declaration.ts'
import { type TestServer, testServer } from '../../../../tests/fixtures/server.ts'

export interface Said {
  readonly id: string
  readonly channel?: string
  readonly author?: string
  readonly text?: string
  readonly attachment_count?: number
  readonly sent_at?: string
  /** Values of further fields. */
  readonly [more: string]: unknown
}

export const FIELDS = ['id', 'channel', 'author', 'text', 'attachment_count', 'sent_at']
export const minute = (n: number) => new Date(Date.UTC(2026, 2, 2, 9, n)).toISOString()

type Fields = Parameters<typeof stream>[0]

const chat = (more: Fields) =>
  declaration('chat', {
    messages: stream(
      {
        ...{ id: key(), channel: text(), author: searched(), text: searched() },
        ...{ attachment_count: { type: 'integer' }, sent_at: time(), ...more },
      },
      { semantics: 'append_only', query: { group_field: 'channel' } },
    ),
  })

/** Writes one message per minute. By default a message is about the weather, by Ines, in the family's channel. */
export async function conversation(said: readonly Said[], more: Fields = {}): Promise<TestServer> {
  const test = await testServer({ publicUrl: 'https://data.example.org' })
  await test.owner('POST', '/connectors', chat(more))
  await test.owner('POST', '/v1/owner/connections', { connector_key: 'chat', connection_id: 'chat' })
  const records = said.map((message, n) => {
    const usual = { channel: 'family', author: 'Ines', text: `Weather ${n}`, attachment_count: 0, sent_at: minute(n) }
    return { key: message.id, data: { ...usual, ...message }, emitted_at: '2026-03-03T00:00:00Z' }
  })
  const { body } = await test.ingest('messages', 'chat', records)
  if (body.records_rejected > 0) throw new Error(JSON.stringify(body))
  return test
}

/** The result of `search` as a host gets it. */
export async function searchTool(test: TestServer, token: string, args: object) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: args } }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const { body } = await test.as(token)('POST', '/mcp', message, { ...headers, 'mcp-protocol-version': '2025-11-25' })
  return { text: body.result.content[0].text as string, structured: body.result.structuredContent }
}
