import { permitsRecord, type StreamGrant } from '@pdpp/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { includesField } from '../grants/read-scope.ts'
import type { OpenStorage } from './contract.cases.ts'
import { remove, scopeFor, seed, target, upsert } from './contract.fixture.ts'
import type { Storage } from './contract.ts'

/** Short words: none is another form of a second one, so that "has the word" is beyond doubt. */
const WORDS = ['gull', 'lamp', 'tide', 'rope', 'salt', 'fog', 'oar', 'reef']
const CONNECTIONS = ['home', 'work']
const day = (n: number) => `2026-01-0${n + 1}T00:00:00Z`

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '))
const step = fc.record({
  connection: fc.constantFrom(...CONNECTIONS),
  id: fc.integer({ min: 0, max: 15 }).map((n) => `k${n}`),
  day: fc.integer({ min: 0, max: 5 }),
  title: text,
  secret: text,
  gone: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
})
const grant: fc.Arbitrary<Partial<StreamGrant>> = fc.record(
  {
    fields: fc.constantFrom(['id', 'at', 'title'], ['id', 'at', 'title', 'secret'], ['id', 'at', 'secret']),
    time_constraint: fc.record({ field: fc.constant('at'), since: fc.integer({ min: 0, max: 3 }).map(day) }),
    resources: fc.constantFrom(['k1', 'k2', 'k3'], ['k5']),
  },
  { requiredKeys: ['fields'] },
)
const query = fc.record({
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
  without: fc.option(fc.constantFrom(...WORDS), { nil: undefined }),
})

export function searchCases(open: OpenStorage): void {
  describe('search', () => {
    it('finds exactly the records that have a word of the query in a granted field, those with all of them first', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 50 }), grant, query, async (steps, granted, asked) => {
          const storage = await open()
          await agree(storage, steps, granted, asked)
          await storage.close()
        }),
        { numRuns: 40, seed: 3 },
      )
    }, 60_000)
  })
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function agree(
  storage: Storage,
  steps: readonly Step[],
  granted: Partial<StreamGrant>,
  asked: { words: string[]; without: string | undefined },
) {
  await seed(storage, CONNECTIONS)
  const model = new Map<string, Step>()
  for (const action of steps) {
    const { connection, id, title, secret } = action
    await storage.writer.write(target(connection), [
      action.gone ? remove(id) : upsert({ id, at: day(action.day), title, secret }),
    ])
    if (action.gone) model.delete(`${connection}/${id}`)
    else model.set(`${connection}/${id}`, action)
  }
  const scope = scopeFor(CONNECTIONS, granted)
  const fields = (['title', 'secret'] as const).filter((field) => includesField(scope.usable, field))
  const limits = { name: 'entries', instance_ids: CONNECTIONS, ...granted } as StreamGrant
  const wordsOf = (entry: Step) => new Set(fields.flatMap((field) => entry[field].split(' ')))
  const text = [...asked.words, ...(asked.without === undefined ? [] : [`-${asked.without}`])].join(' ')
  const matching = [...model].filter(([, entry]) => {
    const words = wordsOf(entry)
    const visible = permitsRecord(limits, { connectionId: entry.connection, key: entry.id, time: day(entry.day) })
    return (
      visible &&
      asked.words.some((word) => words.has(word)) &&
      !(asked.without !== undefined && words.has(asked.without))
    )
  })
  const targets = [{ scope, fields, conditions: [] }]
  const { found, complete } = await storage.search.search(targets, text)
  const names = found.map((hit) => `${hit.record().connectionId}/${hit.record().key}`)
  expect(complete).toBe(true)
  expect(names.toSorted()).toEqual(matching.map(([name]) => name).toSorted())
  expect(await storage.search.count(targets, text)).toBe(matching.length)
  const hasAll = (name: string) => asked.words.every((word) => wordsOf(model.get(name)!).has(word))
  const firstPartial = names.findIndex((name) => !hasAll(name))
  if (firstPartial !== -1) expect(names.slice(firstPartial).some(hasAll)).toBe(false)
}
