import { requireDeclaration } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import { declaration, key, searched, stream, text, time } from '../../../../../tests/fixtures/declaration.ts'
import { enforce } from '../../grants/enforce.ts'
import type { FieldCondition } from '../../records/filter.ts'
import type { Storage } from '../contract.ts'
import type { OpenStorage } from './contract.cases.ts'
import { clientOf, SUBJECT, upsert } from './contract.fixture.ts'

const FIELDS = {
  id: key(),
  at: time(),
  channel: text(),
  author: { schema: { ...text(), x_pdpp_role: 'actor' }, searched: true as const },
  text: searched(),
}
const chat = requireDeclaration(
  declaration('chat', { messages: stream(FIELDS, { query: { group_field: 'channel' } }) }),
)
const ALL = Object.keys(FIELDS)

interface Message {
  readonly id: string
  readonly day: number
  readonly author: string
  readonly text: string
  readonly channel?: string
}

const QUESTION = { id: 'm2', day: 12, author: 'Ida', text: 'Where did the brass sextant end up?' }
const ANSWER = { id: 'm3', day: 13, author: 'Tove', text: 'Under the stairs.' }
const OTHERS = [1, 2, 3, 4, 5, 6].map((n) => ({ id: `o${n}`, day: n, author: 'Odd', text: `Rain again, day ${n}.` }))
const TALK: readonly Message[] = [...OTHERS, QUESTION, ANSWER]

async function write(storage: Storage, messages: readonly Message[]): Promise<void> {
  await storage.sources.declare(SUBJECT, chat)
  const about = { connectionId: 'home', connectorKey: 'chat', displayName: undefined, createdAt: 1, updatedAt: 1 }
  await storage.connections.create(SUBJECT, about)
  const target = { subjectId: SUBJECT, connectorKey: 'chat', connectionId: 'home', stream: 'messages' }
  const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T09:00:00Z`
  const writes = messages.map(({ day, channel = 'quay', ...rest }) => upsert({ ...rest, channel, at: at(day) }))
  // Each in a segment of its own: neighbours are found across segments.
  for (const one of writes) await storage.writer.write(target, [one])
}

interface Search {
  readonly fields?: readonly string[]
  readonly since?: string
  readonly conditions?: readonly FieldCondition[]
  readonly words?: string
}

async function search(
  storage: Storage,
  { fields = ALL, since, conditions = [], words = 'brass sextant' }: Search = {},
) {
  const limit = since === undefined ? {} : { time_constraint: { field: 'at', since } }
  const grant = { name: 'messages', instance_ids: ['home'], fields: [...fields], ...limit }
  const scope = enforce(clientOf(chat, grant), { declaration: chat, connections: ['home'] }, 'messages')
  const searched = ['author', 'text'].filter((field) => fields.includes(field))
  return await storage.search.search([{ scope, fields: searched, conditions }], { text: words, limit: 20 })
}

const matches = ({ found }: Awaited<ReturnType<typeof search>>) => found.map(({ key, match }) => `${key} ${match}`)

/** Neighbouring records, names and times in a search. */
export function conversationCases(open: OpenStorage): void {
  describe('search in a conversation', () => {
    it('finds an answer by the message before it, without counting it', async () => {
      const storage = await open()
      await write(storage, TALK)
      const outcome = await search(storage)
      expect(matches(outcome).slice(0, 2)).toEqual(['m2 words', 'm3 context'])
      expect(outcome.total).toBe(1)
      const question = outcome.found[0]!
      expect(outcome.found[1]!.context).toMatchObject({ number: question.number })
      // The record itself must contain a phrase or a field. Its neighbours cannot stand in for it.
      for (const words of ['"brass sextant"', 'text:brass sextant', 'sextant'])
        expect(matches(await search(storage, { words })), words).toEqual(['m2 words'])
      await storage.close()
    })

    it.each([
      ['the conversation', { fields: ALL.filter((field) => field !== 'channel') }],
      ['the time', { fields: ALL.filter((field) => field !== 'at') }],
      ['the neighbour', { since: '2026-03-13T00:00:00Z' }],
    ])('has no neighbours if the grant hides %s', async (_, hidden) => {
      const [storage, without] = [await open(), await open()]
      await write(storage, TALK)
      await write(without, [...OTHERS, ANSWER])
      const outcome = await search(storage, hidden)
      expect(outcome.found.every(({ match }) => match === 'words')).toBe(true)
      if ('since' in hidden) expect(outcome).toEqual(await search(without, hidden))
      await storage.close()
      await without.close()
    })

    it('keeps a question as a neighbour if another author is asked for', async () => {
      const storage = await open()
      await write(storage, TALK)
      const conditions = [{ field: 'author', operator: 'eq', value: 'Tove' } as const]
      expect(matches(await search(storage, { conditions }))).toEqual(['m3 context'])
      await storage.close()
    })

    it('takes a name for an author first, and a month for a time', async () => {
      const storage = await open()
      await write(storage, [
        { id: 'a1', day: 3, author: 'Ida', text: 'Thanks, Tove! The kettle is on.', channel: 'a' },
        { id: 'a2', day: 2, author: 'Tove', text: 'The kettle is on.', channel: 'b' },
      ])
      expect((await search(storage, { words: 'kettle Tove' })).found[0]!.key).toBe('a2')
      const named = await search(storage, { words: 'kettle in March 2026' })
      expect(named.words.map(({ term, records }) => `${term} ${records}`)).toContain('march 0')
      const conditions = [{ field: 'at', operator: 'gte', value: Date.parse('2026-03-01') * 1000 } as const]
      const limited = await search(storage, { words: 'kettle in March 2026', conditions })
      expect(limited.words.map(({ term }) => term)).toEqual(['kettle', 'in'])
      await storage.close()
    })

    it('names the nearest visible words for an unknown one', async () => {
      const storage = await open()
      await write(storage, [...TALK, { id: 'h1', day: 1, author: 'Odd', text: 'sextuplets sextuplet', channel: 'b' }])
      const [word] = (await search(storage, { words: 'sextet', since: '2026-03-02T00:00:00Z' })).words
      expect(word).toEqual({ term: 'sextet', records: 0, nearest: [{ term: 'sextant', records: 1 }] })
      await storage.close()
    })
  })
}
