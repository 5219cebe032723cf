import { permitsRecord, type StreamGrant } from '@pdpp/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repetitions } from '../../../../../tests/fixtures/repetitions.ts'
import type { PositionedRecord } from '../../records/record-store.ts'
import type { OpenStorage } from './contract.cases.ts'
import { scopeFor, seed, target, upsert } from './contract.fixture.ts'

const CONNECTIONS = ['home', 'work']
const KEYS = ['a', 'b', 'c', 'd']
const day = (n: number) => `2026-01-0${n + 1}T00:00:00Z`

const place = { connection: fc.constantFrom(...CONNECTIONS), day: fc.option(fc.integer({ min: 0, max: 5 })) }
const entry = fc.record({ ...place, key: fc.constantFrom(...KEYS) })
const comment = fc.record({
  ...place,
  key: fc.integer({ min: 0, max: 30 }).map((n) => `c${n}`),
  of: fc.option(fc.constantFrom(...KEYS, 'none')),
})
const grant: fc.Arbitrary<Partial<StreamGrant>> = fc.record(
  {
    fields: fc.constant(['id', 'at', 'title']),
    time_constraint: fc.record({ field: fc.constant('at'), since: fc.integer({ min: 0, max: 4 }).map(day) }),
    resources: fc.subarray(KEYS, { minLength: 1 }),
    instance_ids: fc.subarray(CONNECTIONS, { minLength: 1 }),
  },
  { requiredKeys: ['fields', 'instance_ids'] },
)

export function parentsCases(open: OpenStorage): void {
  describe('parents', () => {
    it('are the visible ones of a child in the same connection, each once', async () => {
      const any = fc.tuple(fc.array(entry, { maxLength: 12 }), fc.array(comment, { maxLength: 40 }), grant)
      await fc.assert(
        fc.asyncProperty(any, async ([entries, comments, granted]) => {
          const storage = await open()
          await seed(storage, CONNECTIONS)
          const model = new Map<string, (typeof entries)[number]>()
          for (const one of entries) {
            const data = {
              id: one.key,
              at: one.day === null ? null : day(one.day),
              title: `${one.connection} ${one.key}`,
            }
            await storage.writer.write(target(one.connection), [upsert(data)])
            model.set(`${one.connection}/${one.key}`, one)
          }
          const references = new Map<string, string | null>()
          for (const one of comments) {
            const data = { id: one.key, entry_id: one.of, at: one.day === null ? null : day(one.day) }
            await storage.writer.write(target(one.connection, 'comments'), [upsert(data)])
            references.set(`${one.connection}/${one.key}`, one.of)
          }
          // The page does not show the foreign key, but the key may still be used.
          const from = scopeFor(CONNECTIONS, undefined, { fields: ['id'] }, 'comments')
          const query = { sort: undefined, order: 'asc', after: undefined, limit: 100, maxBytes: 1e9 } as const
          const { records: children } = await storage.records.page(from, query)
          const found = new Map<number, string>()
          const seen: number[] = []
          const reading = storage.records.parents(scopeFor(CONNECTIONS, granted), {
            from,
            foreignKey: 'entry_id',
            children,
          })
          for await (const { parent, children: numbers } of reading) {
            seen.push(parent.number)
            for (const number of numbers) found.set(number, `${parent.connectionId}/${parent.key}`)
          }
          expect(new Set(seen).size).toBe(seen.length)
          const limits = { name: 'entries', ...granted } as StreamGrant
          const expected = ({ connectionId, key }: PositionedRecord) => {
            const name = `${connectionId}/${references.get(`${connectionId}/${key}`)}`
            const parent = model.get(name)
            const time = parent?.day == null ? undefined : day(parent.day)
            return parent && permitsRecord(limits, { connectionId, key: parent.key, time }) ? name : undefined
          }
          expect(children.map(({ number }) => found.get(number))).toEqual(children.map(expected))
          await storage.close()
        }),
        { numRuns: repetitions(10, 30), seed: 3 },
      )
    }, 300_000)
  })
}
