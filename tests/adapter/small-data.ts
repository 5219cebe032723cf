// Two accounts of one small source: enough to read, count, search and page.

import { declaration, key, stream, text, time } from '../fixtures/declaration.ts'
import type { Source } from './adapter-server.ts'

const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString()

export const smallSource: Source = {
  declaration: declaration('chat', {
    messages: stream(
      {
        id: key(),
        channel: text(),
        author: text(),
        text: text(),
        sent_at: time({ type: 'string', format: 'date-time' }),
      },
      {
        semantics: 'append_only',
        query: {
          search: { lexical_fields: ['text', 'author'] },
          aggregations: { count: true, group_by: ['channel', 'author'], group_by_time: ['sent_at'] },
          group_field: 'channel',
        },
      },
    ),
  }),
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
