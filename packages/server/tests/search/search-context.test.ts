// A hit that was found by its neighbour: what is shown of both, what is counted, and what a receipt contains.
import { expect, it } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { conversation, type Said, searchTool } from './conversation.fixture.ts'

const QUESTION = 'When does the ferry leave?'
const filler = (from: number, count: number): Said[] =>
  Array.from({ length: count }, (_, n) => ({ id: `w${from + n}` }))
const SAID: readonly Said[] = [
  ...filler(0, 8),
  { id: 'q', text: QUESTION },
  { id: 'a', text: 'Half past seven, from the pier.', author: 'Wanda' },
  ...filler(20, 8),
]
// The answer has "the", which proves nothing.
const find = '/v1/search?q=when%20does%20the%20ferry%20leave&limit=5&count=exact'

verifies('point 41', 'a hit by context is no evidence: two previews, without marks', async () => {
  const { get } = await (await conversation(SAID)).grant({ connections: ['chat'] })
  const { body } = await get(`${find}&filter[author]=Wanda`)
  expect(body.data).toHaveLength(1)
  expect(body.data[0]).toMatchObject({
    ...{ record_key: 'a', match: 'context', evidence_excerpts: [] },
    begins: { field_path: 'text', preview_text: 'Half past seven, from the pier.' },
  })
  expect(body.data[0].context).toEqual({
    ...{ id: 'chat/messages:q', authored_at: '2026-03-02T09:08:00.000Z', actor: 'Ines' },
    ...{ field_path: 'text', preview_text: QUESTION },
  })
  expect(body.meta.count).toEqual({ kind: 'exact', value: 0 })
  expect(body.meta).not.toHaveProperty('explanation')
})

verifies('point 32', 'a hit by context is not in the total, and its neighbour is shown once', async () => {
  const test = await conversation(SAID)
  const { get, token } = await test.grant({ connections: ['chat'] })
  const { body } = await get(find)
  expect(body.meta.count).toEqual({ kind: 'exact', value: 1 })
  expect(body.data[0]).toMatchObject({ record_key: 'q', match: 'all_words' })
  const answer = body.data.find((hit: any) => hit.record_key === 'a')
  expect(answer).toMatchObject({ match: 'context', context: { id: 'chat/messages:q' } })
  expect(answer.context).not.toHaveProperty('preview_text')
  const { text } = await searchTool(test, token, { query: 'ferry leave', limit: 5 })
  expect(text).toMatch(/^search "ferry leave": 1 shown of 1 match and \d by context, best first\./)
  expect(text).toContain('   begins: Half past seven, from the pier.\n   context: hit 1')
})

verifies('point 37', 'a neighbour is receipted like any record shown', async () => {
  const test = await conversation(SAID)
  const { token } = await test.grant({ connections: ['chat'] })
  const args = { query: 'ferry leave', filter: { author: 'Wanda' } }
  const { text, structured } = await searchTool(test, token, args)
  expect(text).toContain(`context: chat/messages:q · 2026-03-02 09:08Z · Ines · "${QUESTION}"`)
  expect(structured.data.data[0].context.preview_text).toBe(QUESTION)
  const { body } = await test.owner('GET', '/v1/owner/receipts?limit=1')
  const [receipt] = body.data
  expect([receipt.operation, receipt.record_count]).toEqual(['search', 2])
  expect(receipt.records.map((record: any) => record.record_id).sort()).toEqual(['a', 'q'])
})

it('a long neighbour is cut around its words, and says where it goes on', async () => {
  const long = `${'The dunes are long. '.repeat(30)}When does the ferry leave? ${'The sea is wide. '.repeat(30)}`
  const said = SAID.map((message) => (message.id === 'q' ? { ...message, text: long } : message))
  const { get } = await (await conversation(said)).grant({ connections: ['chat'] })
  const { body } = await get(`${find}&filter[author]=Wanda`)
  const { context } = body.data[0]
  expect(context.preview_text).toMatch(/^….*When does the ferry leave\?.*…$/)
  expect(context.preview_text.length).toBeLessThanOrEqual(140)
  expect(context).toMatchObject({ truncated: true, total_chars: [...long].length })
  expect(context.preview_text.slice(1, -1)).toBe(long.slice(context.offset_chars, context.end_chars))
})

it('finds first what a person wrote, without a declared author', async () => {
  const said = Array.from({ length: 24 }, (_, n) => ({
    ...{ id: `m${n}`, author: n % 3 === 0 ? 'Wanda Birchgrove' : 'Ines Kowalczyk' },
    text: n === 20 ? 'Thanks, Wanda Birchgrove!' : `Weather ${n}`,
  }))
  const test = await conversation(said)
  const { get } = await test.grant({ connections: ['chat'] })
  const { body } = await get('/v1/search?q=Wanda+Birchgrove&limit=25')
  const hits = body.data.map(({ actor, match }: any) => [actor, match])
  expect(hits.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => ['Wanda Birchgrove', 'all_words']))
  expect(hits.slice(8)[0]).toEqual(['Ines Kowalczyk', 'all_words'])
})
