// 004.4.2: hosts may cut results, so results are short enough from the start. With any data, a result stays within its
// budget, ends where it says, and says at its beginning how to continue.
import { RESULT_BYTES } from '@pdpp/protocol'
import { expect } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { type Agent, onEveryTransport } from './fixtures/agent.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()

/** Hosts cut the end or the middle of a result. A model must find in the first part how to continue. */
const HOST_KEEPS = 2_048

async function useWithinBudget(agent: Agent, tool: string, args: object, budget: number = RESULT_BYTES.default) {
  const result = await agent.use(tool, args)
  for (const part of [result.text, JSON.stringify(result.structured)]) {
    expect([tool, args, Buffer.byteLength(part) <= budget]).toEqual([tool, args, true])
    expect(part.isWellFormed()).toBe(true)
  }
  return result
}

onEveryTransport((kind) => {
  const notes = async () => world.agent(kind, await world.grant('notes'))
  const mail = async () => world.agent(kind, await world.grant('mail'))

  verifies(['004.4.2', 'point 12'], 'results of hostile data stay within their budget', async () => {
    const [noteAgent, mailAgent] = [await notes(), await mail()]
    await useWithinBudget(noteAgent, 'schema', {})
    await useWithinBudget(noteAgent, 'schema', { stream: 'hoard' })
    await useWithinBudget(noteAgent, 'schema', { stream: 'hoard', detail: 'full' }, RESULT_BYTES.large)
    for (const limit of [1, 25, 100]) {
      await useWithinBudget(noteAgent, 'query_records', { stream: 'hoard', limit })
      await useWithinBudget(noteAgent, 'search', { query: 'treasure', limit })
      await useWithinBudget(mailAgent, 'query_records', { stream: 'messages', limit, expand: ['attachments'] })
    }
    await useWithinBudget(noteAgent, 'fetch', { id: 'notebook/hoard:h5' })
    await useWithinBudget(noteAgent, 'read_record_field', { id: 'notebook/hoard:h5', field_path: 'column_7' })
    await useWithinBudget(mailAgent, 'fetch', { id: 'home/messages:long' })
    await useWithinBudget(mailAgent, 'read_record_field', { id: 'home/messages:long', field_path: 'body' })
    const whole = { id: 'home/messages:long', field_path: 'body', limit_chars: 16_384 }
    await useWithinBudget(mailAgent, 'read_record_field', whole, RESULT_BYTES.large)
    await useWithinBudget(mailAgent, 'aggregate', {
      stream: 'messages',
      metric: 'count',
      group_by: ['sender'],
      limit: 100,
    })
  })

  verifies('004.4.2', 'the beginning of a result says how to continue', async () => {
    const agent = await notes()
    for (const [tool, args] of [
      ['query_records', { stream: 'hoard', limit: 100 }],
      ['search', { query: 'treasure', limit: 100 }],
    ] as const) {
      const { text, structured } = await agent.use(tool, args)
      const cursor = structured.data.next_cursor
      for (const part of [text, JSON.stringify(structured)]) {
        const beginning = Buffer.from(part).subarray(0, HOST_KEEPS).toString('utf8')
        expect(beginning).toContain(cursor)
      }
    }
    const { text, structured } = await (await mail()).use('fetch', { id: 'home/messages:long' })
    for (const part of [text, JSON.stringify(structured)]) expect(part.slice(0, HOST_KEEPS)).toContain('text_truncated')
  })

  verifies('004.4.2', 'pages that end by their size lose and repeat no record', async () => {
    const agent = await notes()
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const args = { stream: 'hoard', fields: ['id', 'column_3'], limit: 100, ...(cursor ? { cursor } : {}) }
      const { structured } = await useWithinBudget(agent, 'query_records', args)
      seen.push(...structured.data.data.map(({ id }: any) => id))
      cursor = structured.data.next_cursor
      if (!cursor) break
    }
    expect(seen.toSorted()).toEqual(Array.from({ length: 60 }, (_, n) => `h${n}`).toSorted())
  })
})
