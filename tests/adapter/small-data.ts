// Two accounts of one small source: enough to read, count, search and page.
import type { Source } from './adapter-server.ts'

const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString()

export const smallSource: Source = {
  declaration: {
    source: { kind: 'connector', id: 'https://tests.example/chat' },
    connector_key: 'chat',
    declaration_version: '1',
    display: { name: 'Chat' },
    streams: [
      {
        name: 'messages',
        semantics: 'append_only',
        schema: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            channel: { type: 'string' },
            author: { type: 'string' },
            text: { type: 'string' },
            sent_at: { type: 'string', format: 'date-time' },
          },
          required: ['id'],
        },
        primary_key: ['id'],
        cursor_field: 'sent_at',
        consent_time_field: 'sent_at',
        query: {
          search: { lexical_fields: ['text', 'author'] },
          aggregations: { count: true, group_by: ['channel', 'author'], group_by_time: ['sent_at'] },
          group_field: 'channel',
        },
      },
    ],
  },
  connections: [
    { id: 'home', name: 'Family chat' },
    { id: 'work', name: 'Team chat' },
  ],
  feeds: ['home', 'work'].map((connection) => ({
    connection,
    stream: 'messages',
    records: Array.from({ length: 12 }, (_, n) => ({
      key: `m${n}`,
      data: {
        id: `m${n}`,
        channel: n % 3 === 0 ? 'garden' : 'general',
        author: ['Ines', 'Tomas', 'Wanda'][n % 3],
        text: n === 4 ? `The lighthouse trip is on ${connection} day` : `Message ${n} about apples and pears`,
        sent_at: at(n),
      },
    })),
  })),
}
