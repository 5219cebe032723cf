// Tasks on the demo owner, a token for all sources, done by a reader of texts alone: which calls, in how many bytes, to what answer.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AdapterServer, startAdapter } from './adapter-server.ts'

let server: AdapterServer
beforeAll(async () => {
  server = await startAdapter('demo')
}, 120_000)
afterAll(() => server.close())

type Step = readonly [tool: string, args: object | ((before: string) => object)]

interface Task {
  readonly steps: readonly Step[]
  /** Of all texts together. */
  readonly maxBytes: number
  /** What the last text has to say. */
  readonly answer: readonly (string | RegExp)[]
}

const march = { category: 'groceries', ordered_at: { gte: '2026-03-01', lt: '2026-04-01' } }
const summer = { played_at: { gte: '2026-06-01', lt: '2026-09-01' } }
const idIn = (text: string) => /\bchat\/messages:[\w%.-]+/.exec(text)?.[0]

const TASKS: Record<string, Task> = {
  'How much was spent on groceries in March?': {
    steps: [
      [
        'aggregate',
        { stream: 'orders', connection_id: 'purchases', metric: 'sum', field: 'total_cents', filter: march },
      ],
    ],
    maxBytes: 250,
    answer: [
      'sum of total_cents (orders) = 25590 cents EUR. Over 9 records.',
      'category = groceries, ordered_at >= 2026-03-01T00:00:00Z, ordered_at < 2026-04-01T00:00:00Z',
      'midnight in UTC',
    ],
  },
  'Most played artist in summer': {
    steps: [
      ['aggregate', { stream: 'plays', connection_id: 'music', metric: 'count', group_by: ['artist'], filter: summer }],
    ],
    maxBytes: 900,
    answer: [/^Nachtfähre: 83$/m, 'played_at >= 2026-06-01', /other_count=\d+/],
  },
  'How did spending go over the year?': {
    steps: [
      [
        'aggregate',
        {
          stream: 'orders',
          connection_id: 'purchases',
          metric: 'sum',
          field: 'total_cents',
          group_by_time: 'ordered_at',
          time_zone: 'Europe/Berlin',
          order: 'asc',
        },
      ],
    ],
    maxBytes: 900,
    answer: ['in cents EUR', 'per month (chosen for', 'in Europe/Berlin: 12 of 12 groups. other_count=0: all.'],
  },
  'Which notes changed in the last week?': {
    steps: [
      [
        'query_records',
        {
          stream: 'notes',
          connection_id: 'notes',
          filter: { updated_at: { gte: '2026-10-25' } },
          fields: ['title', 'updated_at'],
          sort: 'updated_at desc',
        },
      ],
    ],
    maxBytes: 2_500,
    answer: [/^notes\/notes:\S+ \| .*2026-10-\d\d \d\d:\d\d/m],
  },
  'And from now on?': {
    steps: [['query_records', { stream: 'notes', connection_id: 'notes', changes_since: 'now' }]],
    maxBytes: 150,
    answer: [/^notes: 0 records\. next_changes_since=\S+$/],
  },
  'What was said around a message about the lens pedestal?': {
    steps: [
      ['search', { query: 'lens pedestal', connection_id: 'chat', limit: 1 }],
      ['query_records', (before) => ({ stream: 'messages', around: idIn(before), limit: 5 })],
    ],
    maxBytes: 2_500,
    answer: [
      /pedestal/i,
      /\bnext_cursor=\S+ previous_cursor=\S+|all there are/,
      /"connection_id":"chat"|all there are/,
    ],
  },
  'What did the last order hold, line by line?': {
    steps: [
      [
        'query_records',
        { stream: 'orders', connection_id: 'purchases', limit: 2, expand: ['items'], sort: '-ordered_at' },
      ],
    ],
    maxBytes: 2_000,
    answer: [/line=1 [\s\S]*line=2 [\s\S]*line=1 [\s\S]*line=2 [\s\S]*line=3 /],
  },
}

test.each(Object.entries(TASKS))('%s', async (_task, { steps, maxBytes, answer }) => {
  let [text, bytes] = ['', 0]
  for (const [tool, args] of steps) {
    const result = await server.call(tool, typeof args === 'function' ? args(text) : args)
    text = result.text
    expect(result.isError, text).toBe(false)
    bytes += Buffer.byteLength(text)
  }
  for (const part of answer) expect(text).toMatch(part)
  expect(bytes).toBeLessThanOrEqual(maxBytes)
})

test('a stream of one source, asked for without saying which, is found with one call more', async () => {
  const refused = await server.call('query_records', { stream: 'contacts', filter: { name: 'Desmond Saltpeter' } })
  const [, connection_id] = /^- connection_id=(\S+) .* has contacts$/m.exec(refused.text)!
  const { text } = await server.call('query_records', {
    stream: 'contacts',
    connection_id,
    filter: { name: 'Desmond Saltpeter' },
  })
  expect(text).toContain('desmond-saltpeter@the-hag.example')
})
