import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { codex } from './importer.ts'

const at = (second: number) => `2026-04-05T08:00:0${second}.500Z`
const item = (payload: object, second = 1) => ({ timestamp: at(second), type: 'response_item', payload })
const says = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
})

const SESSION = [
  { timestamp: at(0), type: 'session_meta', payload: { id: 'r1', cwd: '/home/bo/boat', timestamp: at(0) } },
  item(says('developer', 'Be kind.')),
  item(says('user', '<environment_context>\n<cwd>/home/bo/boat</cwd>')),
  { timestamp: at(1), type: 'turn_context', payload: { model: 'gpt-5-codex', cwd: '/home/bo/boat' } },
  item(says('user', 'How long is the keel?'), 2),
  { timestamp: at(2), type: 'event_msg', payload: { type: 'user_message', message: 'How long is the keel?' } },
  item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look in the plan' }], encrypted_content: 'x' }, 3),
  item({ type: 'reasoning', summary: [], encrypted_content: 'x' }, 3),
  item({ type: 'function_call', name: 'shell', call_id: 'k1', arguments: '{"command":["cat","plan.txt"]}' }, 4),
  item({ type: 'function_call_output', call_id: 'k1', output: '{"output":"keel: 3 m","metadata":{"exit_code":0}}' }, 5),
  item({ type: 'custom_tool_call', name: 'apply_patch', call_id: 'k2', input: '*** Begin Patch' }, 5),
  item(says('assistant', 'Three metres.'), 6),
  { timestamp: at(7), type: 'compacted', payload: { message: 'They measured the keel.' } },
]

const lines = (all: readonly object[]) => `${all.map((each) => JSON.stringify(each)).join('\n')}\n`
const files = {
  'sessions/2026/04/05/rollout-r1.jsonl': lines(SESSION),
  'copy of rollout-r1.jsonl': lines(SESSION.slice(0, 5)),
}

describe('a transcript of Codex', () => {
  it('says who said what', async () => {
    const { records } = await readExport(codex, [memoryInput('rollout.jsonl', lines(SESSION))])
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(messages.map(({ author, kind, text }) => `${author} ${kind}: ${String(text).replace('\n', ' | ')}`)).toEqual(
      [
        'System system: Be kind.',
        'System context: <environment_context> | <cwd>/home/bo/boat</cwd>',
        'User text: How long is the keel?',
        'Codex thinking: Look in the plan',
        'Codex tool_call: shell | cat plan.txt',
        'shell tool_result: keel: 3 m',
        'Codex tool_call: apply_patch | *** Begin Patch',
        'Codex text: Three metres.',
        'System summary: They measured the keel.',
      ],
    )
    expect(messages[2]).toMatchObject({ detail: { project: '/home/bo/boat' }, sent_at: at(2) })
    expect(messages[7]).toMatchObject({ detail: { model: 'gpt-5-codex' }, conversation: 'How long is the keel?' })
  })

  it('of the first versions has items without an envelope', async () => {
    const old = lines([
      { id: 'old1', timestamp: at(0), instructions: null },
      says('user', 'Hello?'),
      says('assistant', 'Hi.'),
    ])
    const { records, coverage } = await readExport(codex, [memoryInput('old.jsonl', old)])
    expect(coverage.items).toEqual({ seen: 2, imported: 2 })
    expect(records.at(-3)!.data).toMatchObject({ id: 'old1', name: 'Hello?', message_count: 2 })
  })

  it('is recognised by its content', async () => {
    for (const other of [
      '{"type":"message","text":"a"}\n',
      '{"payload":{}}\n',
      lines([{ type: 'user', message: { content: 'a' } }]),
    ])
      expect(await codex.detect(await candidate(memoryInput('rollout-1.jsonl', other)))).toBeUndefined()
  })
})

importerBattery({
  importer: codex,
  files,
  records: { messages: 9, conversations: 1, participants: 4 },
  seen: { messages: 14 },
  leftOut: [
    ['messages', 'events, which repeat or count messages', 1],
    ['messages', 'items without words: response_item reasoning', 1],
    ['messages', 'repeated lines', 3],
  ],
  damaged: 'sessions/2026/04/05/rollout-r1.jsonl',
})
