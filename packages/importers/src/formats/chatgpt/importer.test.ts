import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { chatgpt } from './importer.ts'

const said = (role: string, text: string, more: object = {}) => ({
  author: { role, name: null },
  create_time: 1_767_351_600.25,
  content: { content_type: 'text', parts: [text] },
  metadata: {},
  recipient: 'all',
  ...more,
})

const node = (id: string, parent: string | null, message: object | null) => [
  id,
  { id, parent, children: [], message: message && { id: `${id}-said`, ...message } },
]

const sourdough = {
  title: 'Sourdough for Ida',
  create_time: 1_767_351_600,
  update_time: 1_767_351_700.5,
  conversation_id: 'c1',
  id: 'c1',
  gizmo_id: null,
  current_node: 'picture',
  mapping: Object.fromEntries([
    node('root', null, null),
    node('hidden', 'root', said('system', '', { create_time: null })),
    node('about', 'hidden', {
      ...said('user', ''),
      content: { content_type: 'user_editable_context', user_profile: 'I bake.', user_instructions: 'Be short.' },
      metadata: { is_visually_hidden_from_conversation: true },
    }),
    node('ask', 'about', {
      ...said('user', ''),
      content: {
        content_type: 'multimodal_text',
        parts: [
          'Is this crumb right?',
          { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-Crumb1', size_bytes: 3 },
        ],
      },
      metadata: {
        attachments: [
          { id: 'file-Crumb1', name: 'crumb.png', mime_type: 'image/png', size: 3 },
          { id: 'file-Gone2', name: 'recipe.pdf', size: 9 },
        ],
      },
    }),
    node('first', 'ask', said('assistant', 'Too dense.', { metadata: { model_slug: 'gpt-4o' } })),
    node('think', 'ask', {
      ...said('assistant', ''),
      content: { content_type: 'thoughts', thoughts: [{ summary: 'Looking', content: 'at the holes' }] },
    }),
    node('call', 'think', {
      ...said('assistant', ''),
      content: { content_type: 'code', language: 'unknown', text: 'print(0.7)' },
      recipient: 'python',
    }),
    node('output', 'call', {
      ...said('tool', ''),
      author: { role: 'tool', name: 'python' },
      content: { content_type: 'execution_output', text: '0.7' },
    }),
    node(
      'answer',
      'output',
      said('assistant', 'Proof it longer.\ue200cite\ue202turn0search1\ue201', {
        metadata: { citations: [{ metadata: { url: 'https://bread.example/proof' } }] },
      }),
    ),
    node('picture', 'answer', {
      ...said('tool', ''),
      author: { role: 'tool', name: 'dalle.text2im' },
      content: {
        content_type: 'multimodal_text',
        parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_00ab', size_bytes: 4 }],
      },
    }),
  ]),
}

const older = {
  ...sourdough,
  update_time: 1_767_351_650,
  mapping: { about: { ...sourdough.mapping['about'], parent: null } },
}

const files = {
  'export/conversations.json': JSON.stringify([sourdough]),
  'export/conversations-001.json': JSON.stringify([older]),
  'export/message_feedback.json': JSON.stringify([
    { id: 'answer', conversation_id: 'c1', rating: 'thumbs_up', create_time: '2026-01-02T12:00:00.000000+00:00' },
    { id: 'nowhere', conversation_id: 'c9', rating: 'thumbs_down' },
  ]),
  'export/chat.html': '<html></html>',
  'export/file-Crumb1-crumb.png': 'png',
  'export/dalle-generations/file_00ab-loaf.webp': 'webp',
  'export/file-Unused3-other.txt': 'other',
}

const inputs = () => Object.entries(files).map(([name, content]) => memoryInput(name, content, 1024))

describe('a conversation of ChatGPT', () => {
  it('keeps its tree: answers that were asked for again stay, marked', async () => {
    const { records } = await readExport(chatgpt, inputs())
    const messages = new Map(records.filter(({ stream }) => stream === 'messages').map(({ key, data }) => [key, data]))
    expect([...messages.keys()].map((key) => String(key).slice(3))).toEqual(
      'about ask first think call output answer picture'.split(' '),
    )
    expect(messages.get('c1/about')).toMatchObject({ kind: 'context', text: 'I bake.\nBe short.', reply_to_id: null })
    expect(messages.get('c1/first')).toMatchObject({
      author: 'ChatGPT',
      reply_to_id: 'c1/ask',
      detail: { model: 'gpt-4o', is_current_branch: false },
    })
    expect(messages.get('c1/think')).toMatchObject({ kind: 'thinking', text: 'Looking\nat the holes' })
    expect(messages.get('c1/call')).toMatchObject({ kind: 'tool_call', text: 'print(0.7)', detail: { tool: 'python' } })
    expect(messages.get('c1/output')).toMatchObject({ kind: 'tool_result', author: 'python', text: '0.7' })
    expect(messages.get('c1/answer')).toMatchObject({
      text: 'Proof it longer.',
      sent_at: '2026-01-02T11:00:00.250Z',
      links: ['https://bread.example/proof'],
      reactions: ['👍'],
      reply_to_id: 'c1/output',
    })
    expect(messages.get('c1/picture')).toMatchObject({ kind: 'tool_result', text: null, attachment_count: 1 })
  })

  it('has its files where the export has them', async () => {
    const { records } = await readExport(chatgpt, inputs())
    const attached = records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data)
    expect(attached.map((each) => [each['filename'], each['kind'], each['is_missing'], each['size_bytes']])).toEqual([
      ['crumb.png', 'file', false, 3],
      ['recipe.pdf', 'file', true, 9],
      ['loaf.webp', 'photo', false, 4],
    ])
  })

  it('is recognised by its content, whatever the file is called', async () => {
    const renamed = memoryInput('chats.txt', JSON.stringify([older]))
    expect((await chatgpt.detect(await candidate(renamed)))?.format).toBe('chatgpt')
    const single = memoryInput('one.json', JSON.stringify(older))
    expect((await readExport(chatgpt, [single])).coverage.items).toEqual({ seen: 1, imported: 1 })
    for (const other of ['[{"mapping": 1}]', '{"mapping": {"a": {}}}', '[{"name": "x", "chat_messages": []}]'])
      expect(await chatgpt.detect(await candidate(memoryInput('a.json', other)))).toBeUndefined()
  })

  it('that is broken is named, and the others are imported', async () => {
    const text = JSON.stringify([{ title: 'no id', mapping: {} }, sourdough, 7])
    const { coverage, problems } = await readExport(chatgpt, [memoryInput('conversations.json', text)])
    expect([problems, coverage.items.imported]).toEqual([2, 11])
  })
})

importerBattery({
  importer: chatgpt,
  files,
  records: { messages: 8, attachments: 3, reactions: 1, conversations: 1, participants: 4 },
  seen: { messages: 10, attachments: 3, reactions: 2 },
  leftOut: [
    ['messages', 'messages without content', 1],
    ['messages', 'older copies of a conversation', 1],
    ['reactions', 'votes on answers that the export does not have', 1],
    ['file', 'nothing in the export refers to it', 1],
    ['file', 'shows the same conversations as a page', 1],
  ],
})
