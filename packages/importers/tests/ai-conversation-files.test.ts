import { describe, expect, it } from 'vitest'
import type { ReadResult } from '../src/run/importer-battery.fixture.ts'
import { counted, hasCorpus, readCorpus } from './corpus.ts'

describe.skipIf(!hasCorpus)('conversations with ChatGPT', () => {
  it('a real export of 45 nodes (import/chatgpt-chatgpt2graph)', async () => {
    const read = await readCorpus('chatgpt', 'chatgpt-chatgpt2graph/**/*.json')
    expect([read.problems, read.coverage.unexplained]).toEqual([0, 0])
    expect(counted(read, 'messages', 'author', 'kind')).toEqual({
      'ChatGPT text': 12,
      'ChatGPT tool_call': 11,
      'python tool_result': 11,
      'User text': 8,
    })
    // One node has no message at all.
    expect(read.coverage.items).toEqual({ seen: 44, imported: 42 })
    expect(read.coverage.leftOut).toEqual([{ kind: 'messages', reason: 'messages without content', count: 2 }])
    expect(counted(read, 'conversations', 'name', 'first_at')).toEqual({
      'Average Distance in U(0,1) 2023-09-21T19:57:53.969279Z': 1,
    })
  })

  it('a conversation with two branches (import/aichats-polylogue)', async () => {
    const native = await readCorpus('chatgpt', 'aichats-polylogue/tests/fixtures/chatgpt/native-conversation-v1.json')
    const told = native.records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    const inactive = told.find(({ id }) => String(id).endsWith('/answer-inactive'))!
    expect(inactive).toMatchObject({ text: 'Superseded answer.', detail: { is_current_branch: false } })
    expect([native.problems, native.coverage.unexplained]).toEqual([0, 0])
    const all = await readCorpus('chatgpt', 'aichats-polylogue/**/*chatgpt*/**/*.json')
    expect([all.problems, all.coverage.unexplained]).toEqual([0, 0])
  })

  it('a short one among other exports (import/mixed-knowledgemaxxing)', async () => {
    const read = await readCorpus('chatgpt', 'mixed-knowledgemaxxing/*')
    expect(counted(read, 'messages', 'conversation', 'author')).toEqual({
      'Reading recommendations User': 1,
      'Reading recommendations ChatGPT': 1,
    })
  })
})

describe.skipIf(!hasCorpus)('conversations with Claude', () => {
  const bySize = (read: ReadResult) =>
    Object.fromEntries(
      read.records
        .filter(({ stream }) => stream === 'conversations')
        .map(({ key, data }) => [key, data['message_count']] as const),
    )

  it('an export of two conversations (import/claude-osteele)', async () => {
    const read = await readCorpus('claude', 'claude-osteele/testdata/conversations.json')
    expect([read.problems, bySize(read)]).toEqual([0, { 'test-conv-1': 2, 'test-conv-2': 4 }])
  })

  it('ten conversations, each in a file (import/claude-osteele)', async () => {
    const read = await readCorpus('claude', 'claude-osteele/src/data/sampleConversations/*.json')
    expect([read.problems, read.coverage.unexplained]).toEqual([0, 0])
    const said = counted(read, 'messages', 'conversation_id', 'kind')
    const words = Object.entries(said).filter(([name]) => name.endsWith(' text'))
    expect(words.map(([, size]) => size).toSorted()).toEqual([2, 2, 2, 4, 4, 4, 6, 6, 6, 6])
  })

  it('broken ones, each with its own error (import/claude-osteele)', async () => {
    const read = await readCorpus('claude', 'claude-osteele/testdata/conversations-multiple-errors.json')
    expect(bySize(read)).toEqual({ 'conv-1': 1, 'conv-3': 0, 'conv-4': 1, 'conv-5': 2 })
    const reasons = read.items.flatMap((item) => ('problem' in item ? [item.problem.reason] : []))
    expect(reasons).toEqual([
      'the conversation conv-2 has no list of messages',
      'the content of the message msg-4-1 is not a list; its text is used',
      'the content of the message msg-5-2 is not a list; its text is used',
    ])
    const mixed = await readCorpus('claude', 'claude-osteele/testdata/conversation-*.json')
    expect(mixed.coverage.unexplained).toBe(0)
    expect((await readCorpus('claude', 'claude-osteele/testdata/simple-invalid.json')).plans).toEqual([])
  })

  it('right shapes with strange values (import/aichats-polylogue)', async () => {
    const read = await readCorpus('claude', 'aichats-polylogue/**/claude-ai*/**/*.json')
    expect([read.problems, read.coverage.unexplained]).toEqual([0, 0])
    expect(read.coverage.items.imported).toBeGreaterThan(5)
  })

  it('a short one among other exports (import/mixed-knowledgemaxxing)', async () => {
    const read = await readCorpus('claude', 'mixed-knowledgemaxxing/*')
    expect(counted(read, 'messages', 'conversation', 'author')).toEqual({
      'Essay hunting User': 1,
      'Essay hunting Claude': 1,
    })
  })
})

describe.skipIf(!hasCorpus)('transcripts of agents', () => {
  it('Claude Code: a session (import/agents-claude-code-transcripts)', async () => {
    const session = await readCorpus('claude-code', 'agents-claude-code-transcripts/*.jsonl')
    // 4 lines of the user and 3 of Claude Code; one of these has words and a call.
    expect(counted(session, 'messages', 'kind')).toEqual({ text: 4, tool_call: 2, tool_result: 2 })
    expect(counted(session, 'conversations', 'id', 'name', 'topic')).toEqual({
      'test-session-id Create a hello world function Test session for JSONL parsing': 1,
    })
    const web = await readCorpus('claude-code', 'agents-claude-code-transcripts/*.json')
    const lines = web.records.filter(({ stream, key }) => stream === 'messages' && !String(key).includes('/'))
    expect([web.problems, web.coverage.unexplained, lines.length]).toEqual([0, 0, 33])
  })

  it('Claude Code: two sessions in one file (import/aichats-polylogue)', async () => {
    const read = await readCorpus('claude-code', 'aichats-polylogue/**/claude-normalization-main.jsonl')
    expect([read.problems, read.coverage.unexplained]).toEqual([0, 0])
    expect(read.coverage.leftOut).toEqual([
      { kind: 'messages', reason: 'repeated lines', count: 1 },
      { kind: 'messages', reason: 'lines that are not messages: queue-operation', count: 1 },
    ])
    // 8 lines of users and 4 of Claude Code are left, without the repeated one: 11.
    const lines = read.records.filter(({ stream, key }) => stream === 'messages' && !String(key).includes('/'))
    expect(lines).toHaveLength(11)
    expect(counted(read, 'conversations', 'name')).toEqual({ 'Review the parser.': 1, 'An independent session.': 1 })
    expect(JSON.stringify(read.records)).not.toContain('must not survive')
  })

  it('Claude Code: subagents share a session (import/aichats-polylogue)', async () => {
    const read = await readCorpus('claude-code', 'aichats-polylogue/tests/fixtures/claude-code/normalization-*.jsonl')
    expect(counted(read, 'conversations', 'id')).toEqual({ 'claude-lineage-parent': 1 })
    expect(counted(read, 'messages', 'author', 'kind')).toEqual({
      'User text': 3,
      'Claude Code text': 4,
      'Claude Code subagent text': 1,
      'System summary': 2,
    })
  })

  it('Claude Code: lines without ids (import/agents-agentsview)', async () => {
    const read = await readCorpus('claude-code', 'agents-agentsview/claude/*')
    expect(counted(read, 'messages', 'author', 'kind')).toEqual({
      'User text': 2,
      'Claude Code text': 2,
      'Claude Code tool_call': 1,
    })
  })

  it('logs that only count tokens are no transcripts (import/agents-ccusage)', async () => {
    for (const importer of ['claude-code', 'codex'])
      expect((await readCorpus(importer, 'agents-ccusage/**/*.jsonl')).plans).toEqual([])
  })

  it('Codex: calls between answers, a compaction (import/aichats-polylogue)', async () => {
    const read = await readCorpus('codex', 'aichats-polylogue/**/interleaved_stream.jsonl')
    expect(counted(read, 'messages', 'author', 'kind')).toEqual({
      'User text': 2,
      'Codex text': 2,
      'Codex tool_call': 2,
      'exec_command tool_result': 1,
      'read_file tool_result': 1,
      'System summary': 1,
    })
    expect(read.coverage.items).toEqual({ seen: 10, imported: 9 })
    const all = await readCorpus('codex', 'aichats-polylogue/**/{codex_event_stream/*,codex-session}.jsonl')
    expect([all.problems, all.coverage.unexplained]).toEqual([0, 0])
  })

  it('Codex: five sessions (import/agents-agentsview)', async () => {
    const read = await readCorpus('codex', 'agents-agentsview/codex/*')
    expect(counted(read, 'messages', 'conversation_id')).toEqual({
      'fc-args-1': 2,
      'fc-args-2': 2,
      'fc-stdin': 2,
      'fc-1': 3,
      'abc-123': 2,
    })
  })
})

describe.skipIf(!hasCorpus)('activity of Google', () => {
  it('of other products, or mixed, is left to other importers', async () => {
    for (const pattern of ['mixed-knowledgemaxxing/*', 'takeout-*/**/*ctivity*', 'mixed-datamirror/*'])
      expect((await readCorpus('gemini', pattern)).plans).toEqual([])
  })
})

if (!hasCorpus) it.skip('needs PDPP_CORPORA, the folder that holds import/', () => {})
