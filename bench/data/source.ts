// The declaration of the bench data: four streams with the same fields, and five connections.
import { requireDeclaration, type SourceDeclaration } from '@pdpp/protocol'

export const CONNECTOR = 'bench-mail'
export const CONNECTIONS = ['box-1', 'box-2', 'box-3', 'box-4', 'box-5']
export const CHANNELS = ['email', 'chat', 'list', 'ticket', 'phone', 'letter']
export const BIG_STREAM = 'messages'
/** Each stream with its share of the records. */
export const STREAMS: [name: string, share: number][] = [
  [BIG_STREAM, 0.7],
  ['chats', 0.15],
  ['comments', 0.1],
  ['invoices', 0.05],
]

/** Fields whose words are indexed. */
export const SEARCHED = ['subject', 'body', 'author'] as const

const text = { type: 'string' }
const SCHEMA = {
  type: 'object',
  properties: {
    id: text,
    thread_id: text,
    author: { ...text, x_pdpp_role: 'actor' },
    channel: { type: 'string', enum: CHANNELS },
    subject: text,
    body: text,
    sent_at: { type: 'string', format: 'date-time' },
    amount_cents: { type: 'integer' },
    flagged: { type: 'boolean' },
  },
  required: ['id', 'author', 'sent_at'],
}

export const SOURCE: SourceDeclaration = requireDeclaration({
  protocol_version: '0.1.0',
  source: { kind: 'connector', id: 'https://bench.example/mail' },
  connector_key: CONNECTOR,
  declaration_version: '1',
  display: { name: 'Bench mail' },
  sensitivity: 'standard',
  streams: STREAMS.map(([name]) => ({
    name,
    semantics: 'mutable_state',
    schema: SCHEMA,
    primary_key: ['id'],
    cursor_field: 'sent_at',
    consent_time_field: 'sent_at',
    query: {
      range_filters: { sent_at: ['gte', 'lt'], amount_cents: ['gte', 'lt'] },
      search: { lexical_fields: SEARCHED },
      group_field: 'thread_id',
      aggregations: {
        count: true,
        sum: ['amount_cents'],
        count_distinct: ['author'],
        group_by: ['author', 'channel'],
        group_by_time: ['sent_at'],
      },
    },
  })),
})
