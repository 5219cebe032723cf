import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { claudeCode } from './importer.ts'

const line = (type: string, uuid: string | undefined, content: unknown, more: object = {}) => ({
  type,
  uuid,
  sessionId: 's1',
  timestamp: '2026-03-04T09:00:00.000Z',
  message: { role: type, content },
  ...more,
})

const SESSION = [
  { type: 'summary', summary: 'Mending the kiln timer', leafUuid: 'u9' },
  { type: 'file-history-snapshot', sessionId: 's1' },
  line('user', 'u0', '<system-reminder>Be brief.</system-reminder>', { isMeta: true }),
  line('user', 'u1', 'Why does the kiln stop?\nIt is hot.', { cwd: '/home/mira/kiln', gitBranch: 'main' }),
  line('assistant', 'a1', [
    { type: 'thinking', thinking: 'A timer, maybe.' },
    { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'grep -n timer kiln.c', description: 'Find it' } },
  ]),
  line('user', 'r1', [
    { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '12: timer' }], is_error: true },
  ]),
  line('assistant', 'a2', [{ type: 'text', text: 'The timer overflows.' }], {
    parentUuid: 'r1',
    message: { role: 'assistant', model: 'claude-x', content: [{ type: 'text', text: 'The timer overflows.' }] },
  }),
  line('user', 'u2', [
    { type: 'text', text: 'Here is a picture' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'cG5n' } },
  ]),
  line('user', 'u1', 'The same line in other words'),
  line('user', undefined, '<command-name>/status</command-name>'),
  line('assistant', 'a3', []),
  line('user', 'c1', 'This session is being continued.', { isCompactSummary: true }),
]

const AGENT = [
  line('user', 'g1', 'Look at the timer only.', { isSidechain: true, agentId: 'x7' }),
  line('assistant', 'g2', 'It is 8 bits wide.', { isSidechain: true, agentId: 'x7', parentUuid: 'g1' }),
]

const lines = (all: readonly object[]) => `${all.map((each) => JSON.stringify(each)).join('\n')}\n`
const files = { 'projects/kiln/s1.jsonl': lines(SESSION), 'projects/kiln/agent-x7.jsonl': lines(AGENT) }
const WEB = JSON.stringify({
  loglines: [
    { type: 'user', timestamp: '2026-03-04T09:00:00Z', message: { role: 'user', content: 'Add two numbers' } },
    { type: 'assistant', timestamp: '2026-03-04T09:00:01Z', message: { role: 'assistant', content: 'Done.' } },
  ],
})

describe('a transcript of Claude Code', () => {
  it('says who said what: the user, Claude Code, a tool, a subagent', async () => {
    const inputs = Object.entries(files).map(([name, content]) => memoryInput(name, content, 1024))
    const { records } = await readExport(claudeCode, inputs)
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(messages.map(({ author, kind, text }) => `${author} ${kind}: ${String(text).split('\n')[0]}`)).toEqual([
      'System context: <system-reminder>Be brief.</system-reminder>',
      'User text: Why does the kiln stop?',
      'Claude Code thinking: A timer, maybe.',
      'Claude Code tool_call: Bash',
      'Bash tool_result: 12: timer',
      'Claude Code text: The timer overflows.',
      'User text: Here is a picture',
      'User command: <command-name>/status</command-name>',
      'System summary: This session is being continued.',
      'Claude Code text: Look at the timer only.',
      'Claude Code subagent text: It is 8 bits wide.',
    ])
    expect(messages[1]).toMatchObject({ detail: { project: '/home/mira/kiln', branch: 'main' } })
    expect(messages[3]).toMatchObject({ text: 'Bash\ngrep -n timer kiln.c\nFind it', reply_to_id: 'a1' })
    expect(messages[4]).toMatchObject({ detail: { tool: 'Bash', is_error: true } })
    expect(messages[5]).toMatchObject({ conversation: 'Why does the kiln stop?', detail: { model: 'claude-x' } })
    expect(records.find(({ stream }) => stream === 'conversations')!.data).toMatchObject({
      id: 's1',
      name: 'Why does the kiln stop?',
      topic: 'Mending the kiln timer',
    })
  })

  it('of the web version is one JSON object', async () => {
    const { coverage, records } = await readExport(claudeCode, [memoryInput('session.json', WEB)])
    expect(coverage.items).toEqual({ seen: 2, imported: 2 })
    expect(records.at(-1)!.data).toMatchObject({ name: 'Claude Code' })
  })

  it('is no log that only counts tokens', async () => {
    for (const other of [
      '{"type":"user","message":{}}\n{"type":"assistant","message":{"usage":{"input_tokens":1}}}\n',
      '{"type":"user","payload":{"message":1}}\n',
      'type,message\nuser,hello\n',
    ])
      expect(await claudeCode.detect(await candidate(memoryInput('a.jsonl', other)))).toBeUndefined()
  })
})

importerBattery({
  importer: claudeCode,
  files,
  records: { messages: 11, attachments: 1, conversations: 1, participants: 5 },
  seen: { messages: 14, attachments: 1 },
  leftOut: [
    ['messages', 'lines that are not messages: file-history-snapshot', 1],
    ['messages', 'repeated lines', 1],
    ['messages', 'messages without content', 1],
  ],
  // Without its first question, a session has no name.
  damaged: 'projects/kiln/agent-x7.jsonl',
})
