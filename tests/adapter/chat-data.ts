// A chat as people have it: short messages, short keys, names, pictures; questions and their answers.
import { declaration, key, stream, text, time } from '../fixtures/declaration.ts'
import type { Source } from './adapter-server.ts'

const PEOPLE = ['Wanda Birchgrove', 'Ines Kowalczyk', 'Tomas Ferrier']
const SAID = [
  'Does anybody know when the ferry leaves on Friday?',
  'Half past seven, from the old pier.',
  'I will bring the bread and the apples.',
  'The ferry was late again, we waited for an hour in the rain.',
  'Look what the cat brought home',
  'No problem, see you there!',
  'Can somebody feed the cat while we are away?',
  'Sure, I have the key.',
]

/** These are said only once. */
const ONCE = new Map([
  [80, 'Where did we leave the kayak?'],
  [81, 'In the shed behind the boat house.'],
])

const at = (n: number) => new Date(Date.UTC(2026, 4, 1, 7) + n * 5_400_000).toISOString()

export const chatSource: Source = {
  declaration: declaration('chat', {
    messages: stream(
      {
        id: key(),
        channel: text(),
        author: text(),
        text: text(),
        attachment_count: { type: 'integer' },
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
  connections: [{ id: 'chat', name: 'Family chat' }],
  feeds: [
    {
      connection: 'chat',
      stream: 'messages',
      records: Array.from({ length: 160 }, (_, n) => ({
        key: `m${1000 + n}`,
        data: {
          id: `m${1000 + n}`,
          channel: n % 16 < 8 ? 'family' : 'holidays',
          author: PEOPLE[n % PEOPLE.length],
          text: ONCE.get(n) ?? `${SAID[n % SAID.length]}${n % 5 === 0 ? ` (${n})` : ''}`,
          attachment_count: n % 8 === 4 ? 1 : 0,
          sent_at: at(n),
        },
      })),
    },
  ],
}
