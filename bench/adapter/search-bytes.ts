// `npm run bench:search-bytes` measures how many hits a search result has, and how many bytes they take.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAdapter } from '../../tests/adapter/adapter-server.ts'
import { chatSource } from '../../tests/adapter/chat-data.ts'
import { table, verdict, whole } from '../report/markdown.ts'

interface Search {
  readonly name: string
  readonly data: 'chat' | 'demo'
  readonly args: Readonly<Record<string, unknown>>
  /**
   * Number of hits, bytes of text and bytes of structured output on 17 November 2026, before excerpts became shorter
   * and hits stopped repeating values.
   */
  readonly before: readonly [number, number, number]
}

const SEARCHES: readonly Search[] = [
  { name: 'chat: a common word', data: 'chat', args: { query: 'ferry' }, before: [14, 2_180, 9_673] },
  {
    name: 'chat: a whole question',
    data: 'chat',
    args: { query: 'When does the ferry leave on Friday?' },
    before: [14, 2_211, 9_673],
  },
  { name: 'chat: a person', data: 'chat', args: { query: 'Wanda Birchgrove' }, before: [15, 1_571, 9_908] },
  {
    name: 'demo chat: a person',
    data: 'demo',
    args: { query: 'Tomasz Brambleshaw', connection_id: 'chat', streams: ['messages'] },
    before: [11, 1_370, 9_509],
  },
  {
    name: 'demo chat: a question',
    data: 'demo',
    args: { query: 'Who ran in the sleet with hills?', connection_id: 'chat' },
    before: [10, 1_954, 9_175],
  },
  {
    name: 'demo mail: a question',
    data: 'demo',
    args: { query: 'Who said the lens pedestal was too heavy?' },
    before: [9, 2_944, 9_314],
  },
  {
    name: 'demo, all sources: a question',
    data: 'demo',
    args: { query: 'What did Tomasz say about the marathon?' },
    before: [8, 3_185, 9_193],
  },
  {
    name: 'demo, long texts: a word',
    data: 'demo',
    args: { query: 'kilometre', streams: ['notes'] },
    before: [2, 1_070, 2_861],
  },
]

const LIMIT = 40
const CHAT_TEXT = 3_000
const CHAT_HITS = 12

const size = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))

async function measure() {
  const servers = { chat: await startAdapter([chatSource]), demo: await startAdapter('demo') }
  const rows = []
  for (const { name, data, args, before } of SEARCHES) {
    const { text, structured } = await servers[data].call('search', { limit: LIMIT, ...args })
    const { length: hits } = structured['results'] as readonly unknown[]
    rows.push({ name, data, before, after: [hits, size(text), size(structured)] as const })
  }
  await Promise.all(Object.values(servers).map((server) => server.close()))
  return rows
}

function report(rows: Awaited<ReturnType<typeof measure>>): string {
  const cells = ([hits, text, structured]: readonly [number, number, number]) => [
    ...[whole(hits), whole(text), whole(structured), whole(text / hits), whole(structured / hits)],
  ]
  return `# Bytes of search results

Written by \`npm run bench:search-bytes\`. Each search asks the hosted adapter for ${LIMIT} hits. A result has fewer hits if its text or its
structured output would exceed 10,000 bytes. Goal for chats: at least ${CHAT_HITS} hits in ${whole(CHAT_TEXT)} bytes of text, including complete ids.
Before: 17 November 2026, with excerpts of 320 characters.

${table(
  [
    'search',
    'hits before',
    'text',
    'structured',
    'text a hit',
    'structured a hit',
    'hits now',
    'text',
    'structured',
    'text a hit',
    'structured a hit',
    'goal',
  ],
  rows.map(({ name, data, before, after }) => [
    name,
    ...cells(before),
    ...cells(after),
    data === 'chat' ? verdict(after[0] >= CHAT_HITS && (after[1] / after[0]) * CHAT_HITS <= CHAT_TEXT) : '',
  ]),
)}
`
}

if (import.meta.main) {
  const text = report(await measure())
  writeFileSync(join(import.meta.dirname, '..', 'search-bytes.md'), text)
  process.stdout.write(text)
}
