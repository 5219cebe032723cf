// 004.4.2: that hosts may still cut results is met beforehand. Whatever the data is, a result is bounded, ends where it
// says, and says at its beginning how to go on.
import { RESULT_BYTES } from '@pdpp/protocol'
import { expect } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { type Agent, onEveryTransport } from './fixtures/agent.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()

/** Hosts cut from the end or in the middle: what a model needs to go on must be in the first part. */
const HOST_KEEPS = 2_048

async function bounded(agent: Agent, tool: string, args: object, budget: number = RESULT_BYTES.default) {
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

  verifies(['004.4.2', 'point 12'], 'every read of hostile data is within its budget', async () => {
    const [own, mailed] = [await notes(), await mail()]
    await bounded(own, 'schema', {})
    await bounded(own, 'schema', { stream: 'hoard' })
    await bounded(own, 'schema', { stream: 'hoard', detail: 'full' }, RESULT_BYTES.large)
    for (const limit of [1, 25, 100]) {
      await bounded(own, 'query_records', { stream: 'hoard', limit })
      await bounded(own, 'search', { query: 'treasure', limit })
      await bounded(mailed, 'query_records', { stream: 'messages', limit, expand: ['attachments'] })
    }
    await bounded(own, 'fetch', { id: 'notebook/hoard:h5' })
    await bounded(own, 'read_record_field', { id: 'notebook/hoard:h5', field_path: 'column_7' })
    await bounded(mailed, 'fetch', { id: 'home/messages:long' })
    await bounded(mailed, 'read_record_field', { id: 'home/messages:long', field_path: 'body' })
    const whole = { id: 'home/messages:long', field_path: 'body', limit_chars: 16_384 }
    await bounded(mailed, 'read_record_field', whole, RESULT_BYTES.large)
    await bounded(mailed, 'aggregate', { stream: 'messages', metric: 'count', group_by: ['sender'], limit: 100 })
  })

  verifies('004.4.2', 'a host that keeps only the beginning of a result keeps the way on', async () => {
    const agent = await notes()
    for (const [tool, args] of [
      ['query_records', { stream: 'hoard', limit: 100 }],
      ['search', { query: 'treasure', limit: 100 }],
    ] as const) {
      const { text, structured } = await agent.use(tool, args)
      const cursor = structured.data.next_cursor
      for (const part of [text, JSON.stringify(structured)]) {
        const kept = Buffer.from(part).subarray(0, HOST_KEEPS).toString('utf8')
        expect(kept).toContain(cursor)
      }
    }
    const { text, structured } = await (await mail()).use('fetch', { id: 'home/messages:long' })
    for (const part of [text, JSON.stringify(structured)]) expect(part.slice(0, HOST_KEEPS)).toContain('text_truncated')
  })

  verifies('004.4.2', 'pages that end by bytes lose nothing and repeat nothing', async () => {
    const agent = await notes()
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const args = { stream: 'hoard', fields: ['id', 'column_3'], limit: 100, ...(cursor ? { cursor } : {}) }
      const { structured } = await bounded(agent, 'query_records', args)
      seen.push(...structured.data.data.map(({ id }: any) => id))
      cursor = structured.data.next_cursor
      if (!cursor) break
    }
    expect(seen.toSorted()).toEqual(Array.from({ length: 60 }, (_, n) => `h${n}`).toSorted())
  })
})
