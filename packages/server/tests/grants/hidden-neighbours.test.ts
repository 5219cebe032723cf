// Neighbouring records, authors and files that a grant hides change no byte of a search's answer, in either form.
import { expect, it } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { conversation, FIELDS, minute, type Said, searchTool } from '../search/conversation.fixture.ts'

const filler = (from: number, count: number): Said[] =>
  Array.from({ length: count }, (_, n) => ({ id: `w${from + n}` }))
const QUERIES = ['when does the ferry leave', 'wanda ferry', 'Wanda', 'half past seven', 'picture', 'ferries']

interface Hiding {
  readonly what: string
  /** Worlds that differ only in data that the grant hides. */
  readonly worlds: readonly (readonly Said[])[]
  readonly grant: object
}

const answer: Said = { id: 'a', text: 'Half past seven, from the pier.', author: 'Wanda' }
const without = (...names: string[]) => ({
  streams: [{ name: 'messages', fields: FIELDS.filter((field) => !names.includes(field)) }],
})

const HIDINGS: readonly Hiding[] = [
  {
    what: 'a neighbour that is too old',
    worlds: ['Weather', 'When does the ferry leave?', 'ferry '.repeat(50)].map((text) => [
      ...filler(0, 4),
      { id: 'q', text, author: text === 'Weather' ? 'Ines' : 'Wanda' },
      answer,
      ...filler(20, 6),
    ]),
    grant: { streams: [{ name: 'messages' }], since: minute(5) },
  },
  {
    what: 'the field of the conversation',
    worlds: ['family', 'elsewhere'].map((channel) => [
      ...filler(0, 4),
      { id: 'q', text: 'When does the ferry leave?', channel },
      answer,
      ...filler(20, 6),
    ]),
    grant: without('channel'),
  },
  {
    what: 'authors',
    worlds: ['Wanda', 'Tomas'].map((author) => [
      ...filler(0, 4),
      { id: 'q', text: 'When does the ferry leave?', author },
      { ...answer, author },
      ...filler(20, 6),
    ]),
    grant: without('author'),
  },
  {
    what: 'files',
    worlds: [0, 3].map((attachment_count) => [
      ...filler(0, 4),
      { id: 'q', text: 'When does the ferry leave?', attachment_count },
      { ...answer, attachment_count },
      ...filler(20, 6),
    ]),
    grant: without('attachment_count'),
  },
  {
    what: 'texts',
    worlds: ['When does the ferry leave?', 'Weather'].map((text) => [
      ...filler(0, 4),
      { id: 'q', text },
      { ...answer, text },
      ...filler(20, 6),
    ]),
    grant: without('text'),
  },
]

async function told(world: readonly Said[], grant: object): Promise<string[]> {
  const test = await conversation(world)
  const { get, token, grantId } = await test.grant({ connections: ['chat'], ...grant })
  const texts: string[] = []
  for (const query of QUERIES) {
    for (const rest of ['', '&count=exact&limit=3', '&since=2026-03-01'])
      texts.push((await get(`/v1/search?q=${encodeURIComponent(query)}${rest}`)).text)
    const { text, structured } = await searchTool(test, token, { query, limit: 20 })
    texts.push(text, JSON.stringify(structured))
  }
  return texts.map((text) =>
    text
      .replaceAll(grantId, 'GRANT')
      .replaceAll(/(?<![\w-])[\w-]{38,}(?![\w-])/g, ({ length }) => `<sealed ${length}>`),
  )
}

verifies.each(['checklist 16', 'point 41'], HIDINGS)('hidden: $what', async ({ worlds, grant }) => {
  const [first, ...others] = await Promise.all(worlds.map((world) => told(world, grant)))
  expect(first!.some((text) => text.includes('chat/messages:'))).toBe(true)
  for (const other of others) expect(other).toEqual(first)
})

it('the same worlds differ for a grant that shows everything', async () => {
  for (const { worlds } of HIDINGS) {
    const [first, second] = await Promise.all(worlds.slice(0, 2).map((world) => told(world, {})))
    expect(second).not.toEqual(first)
  }
})
