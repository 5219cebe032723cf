// A question, its answer in the next message, and a long note: the facts that a host must be able to reach.
import type { Source } from './adapter-server.ts'

export const STORY = {
  question: 'When do we meet for the lighthouse trip?',
  asked: 'When do we meet for the lighthouse trip, and where?',
  answer: 'At the ferry pier, half past seven.',
  noteQuery: 'lighthouse keeper door code',
  code: '4417',
  messages: 300,
}

const at = (n: number) => new Date(Date.UTC(2026, 3, 1) + n * 900_000).toISOString()
const filler = (n: number) =>
  `Nothing much on day ${n}: apples, pears, and the usual talk about the weather over lunch.`
const asked = 200
const textOf = (n: number) => (n === asked ? STORY.asked : n === asked + 2 ? STORY.answer : filler(n))
const long = `${'The path goes along the dunes. '.repeat(700)}The lighthouse keeper says that the door code is ${STORY.code}. ${'Gulls everywhere. '.repeat(700)}`

const text = { type: 'string' }
const stream = (name: string, fields: object, searched: string[], group?: string) => ({
  name,
  semantics: 'append_only',
  schema: {
    type: 'object',
    properties: { id: text, sent_at: { type: 'string', format: 'date-time' }, ...fields },
    required: ['id'],
  },
  primary_key: ['id'],
  cursor_field: 'sent_at',
  consent_time_field: 'sent_at',
  query: { search: { lexical_fields: searched }, ...(group ? { group_field: group } : {}) },
})

export const storySource: Source = {
  declaration: {
    source: { kind: 'connector', id: 'https://tests.example/story' },
    connector_key: 'story',
    declaration_version: '1',
    display: { name: 'Messages and notes' },
    streams: [
      stream('messages', { channel: text, author: text, text }, ['text', 'author'], 'channel'),
      stream('notes', { title: text, body: text }, ['title', 'body']),
    ],
  },
  connections: [{ id: 'home', name: 'Family' }],
  feeds: [
    {
      connection: 'home',
      stream: 'messages',
      records: Array.from({ length: STORY.messages }, (_, n) => ({
        key: `m${n}`,
        data: {
          id: `m${n}`,
          channel: n % 2 === 0 ? 'family' : 'neighbours',
          author: ['Ines', 'Tomas', 'Wanda', 'Olek'][n % 4],
          text: textOf(n),
          sent_at: at(n),
        },
      })),
    },
    {
      connection: 'home',
      stream: 'notes',
      records: [{ key: 'n1', data: { id: 'n1', title: 'Weekend by the sea', body: long, sent_at: at(9) } }],
    },
  ],
}
