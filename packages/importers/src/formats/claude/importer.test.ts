import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { claude } from './importer.ts'

const at = (minute: number) => `2026-02-03T10:0${minute}:00.123456+00:00`
const message = (uuid: string, parent: string | undefined, sender: string, content: unknown, more: object = {}) => ({
  uuid,
  parent_message_uuid: parent ?? '00000000-0000-4000-8000-000000000000',
  sender,
  content,
  text: 'flat',
  created_at: at(1),
  attachments: [],
  files: [],
  ...more,
})
const text = (words: string) => ({ type: 'text', text: words })

const knots = {
  uuid: 'c1',
  name: 'Knots for Bo',
  summary: 'Which knot holds best',
  created_at: at(0),
  updated_at: at(5),
  account: { uuid: 'a1' },
  current_leaf_message_uuid: 'm4',
  chat_messages: [
    message('m1', undefined, 'human', [text('Which knot?')], {
      attachments: [{ file_name: 'rope.txt', file_size: 9, file_type: 'txt', extracted_content: 'hemp rope' }],
      files: [{ file_name: 'rope.txt' }, { file_name: 'knot.png' }],
    }),
    message('m2', 'm1', 'assistant', [text('A bow.')]),
    message('m4', 'm1', 'assistant', [
      { type: 'thinking', thinking: 'They climb.' },
      { ...text('A figure eight.'), citations: [{ url: 'https://knots.example/8' }] },
      { type: 'tool_use', name: 'web_search', input: { query: 'figure eight' } },
      {
        type: 'tool_result',
        name: 'web_search',
        content: [{ title: 'Eight', url: 'https://a.example', text: 'holds' }],
      },
      { type: 'token_budget' },
      text('It holds.'),
    ]),
    message('m5', 'm4', 'human', null, { text: 'Thanks' }),
    message('m6', 'm5', 'human', [], { text: '' }),
  ],
}

const files = {
  'data/conversations.json': JSON.stringify([
    knots,
    { uuid: 'c2', name: 'Empty', created_at: at(0), updated_at: at(0), chat_messages: [] },
    { uuid: 'c3', name: 'No messages', created_at: at(0), updated_at: at(0) },
  ]),
  'data/older.json': JSON.stringify([{ ...knots, updated_at: at(2), chat_messages: [knots.chat_messages[0]] }]),
  'data/projects.json': JSON.stringify([
    {
      uuid: 'p1',
      name: 'Climbing',
      description: 'Walls',
      prompt_template: 'Be careful.',
      created_at: at(0),
      updated_at: at(3),
      docs: [{ uuid: 'd1', filename: 'list.md', content: '# Gear', created_at: at(2) }],
    },
  ]),
  'data/memories.json': JSON.stringify([
    { conversations_memory: 'Bo climbs.', project_memories: { p1: 'Indoor walls.' }, account_uuid: 'a1' },
  ]),
  'data/users.json': JSON.stringify([{ uuid: 'a1', full_name: 'Bo Vale' }]),
}

const inputs = () => Object.entries(files).map(([name, content]) => memoryInput(name, content, 1024))

describe('a conversation of Claude', () => {
  it('keeps words, thoughts, calls and results as records of their own', async () => {
    const { records } = await readExport(claude, inputs())
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(messages.map(({ id, kind, author }) => `${id} ${kind} ${author}`)).toEqual([
      'c1/m1 text User',
      'c1/m2 text Claude',
      'c1/m4 text Claude',
      'c1/m4/2 thinking Claude',
      'c1/m4/3 tool_call Claude',
      'c1/m4/4 tool_result web_search',
      'c1/m5 text User',
    ])
    expect(messages[1]).toMatchObject({ reply_to_id: 'c1/m1', detail: { is_current_branch: false } })
    expect(messages[2]).toMatchObject({
      text: 'A figure eight.\n\nIt holds.',
      links: ['https://knots.example/8'],
      sent_at: at(1),
      conversation: 'Knots for Bo',
      detail: null,
    })
    expect(messages[4]).toMatchObject({ text: 'web_search\nfigure eight', reply_to_id: 'c1/m4' })
    expect(messages[5]).toMatchObject({ text: 'Eight\nhttps://a.example\nholds' })
    expect(messages[6]).toMatchObject({ text: 'Thanks' })
  })

  it('keeps the text of files that it read, and the names of the others', async () => {
    const { records } = await readExport(claude, inputs())
    const attached = records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data)
    expect(attached.map(({ filename, extracted_text: found }) => [filename, found])).toEqual([
      ['rope.txt', 'hemp rope'],
      ['knot.png', null],
    ])
    const project = records.find(({ stream }) => stream === 'projects')!.data
    expect(project).toMatchObject({ instructions: 'Be careful.', memory: 'Indoor walls.' })
  })

  it('is recognised by its content', async () => {
    const single = memoryInput('chat.txt', JSON.stringify(knots))
    expect((await readExport(claude, [single])).coverage.items.imported).toBe(9)
    for (const other of ['{"invalid": "chat_messages"}', '[{"mapping": {}}]', '[{"uuid": 1, "full_name": "Bo"}]'])
      expect(await claude.detect(await candidate(memoryInput('a.json', other)))).toBeUndefined()
  })
})

importerBattery({
  importer: claude,
  files,
  records: {
    messages: 7,
    attachments: 2,
    conversations: 2,
    participants: 4,
    projects: 1,
    documents: 1,
    memories: 1,
  },
  seen: { messages: 9, attachments: 2, projects: 1, documents: 1, memories: 1 },
  leftOut: [
    ['messages', 'messages without content', 1],
    ['messages', 'older copies of a conversation', 1],
    ['file', 'account details are not imported', 1],
  ],
  // One message whose content is not a list, and one conversation without messages.
  problems: 2,
})
