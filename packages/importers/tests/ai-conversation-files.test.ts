import { describe, expect, it } from 'vitest'
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

  it('a conversation with two branches, and other shapes (import/aichats-polylogue)', async () => {
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

if (!hasCorpus) it.skip('needs PDPP_CORPORA, the folder that holds import/', () => {})
