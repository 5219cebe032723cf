import { permitsRecord, type StreamGrant } from '@pdpp/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repetitions } from '../../../../../tests/fixtures/repetitions.ts'
import { parentKey } from '../../records/record-store.ts'
import type { OpenStorage } from './contract.cases.ts'
import { scopeFor, seed, target, upsert } from './contract.fixture.ts'

const CONNECTIONS = ['home', 'work']
const day = (n: number) => `2026-01-0${n + 1}T00:00:00Z`

const comment = fc.record({
  connection: fc.constantFrom(...CONNECTIONS),
  id: fc.integer({ min: 0, max: 30 }).map((n) => `c${n}`),
  entry: fc.constantFrom('a', 'b', 'c', 'none'),
  day: fc.option(fc.integer({ min: 0, max: 5 })),
})
const grant: fc.Arbitrary<Partial<StreamGrant>> = fc.record(
  {
    fields: fc.constant(['id', 'entry_id', 'at']),
    time_constraint: fc.record({ field: fc.constant('at'), since: fc.integer({ min: 0, max: 4 }).map(day) }),
    resources: fc.subarray(
      Array.from({ length: 31 }, (_, n) => `c${n}`),
      { minLength: 1 },
    ),
  },
  { requiredKeys: ['fields'] },
)

export function childrenCases(open: OpenStorage): void {
  describe('children', () => {
    it('are the newest visible ones of a parent in the same connection', async () => {
      const any = fc.tuple(fc.array(comment, { maxLength: 60 }), grant, fc.integer({ min: 1, max: 5 }))
      await fc.assert(
        fc.asyncProperty(any, async ([comments, granted, limit]) => {
          const storage = await open()
          await seed(storage, CONNECTIONS)
          const model = new Map<string, (typeof comments)[number] & { arrival: number }>()
          for (const one of comments) {
            const data = { id: one.id, entry_id: one.entry, at: one.day === null ? null : day(one.day) }
            await storage.writer.write(target(one.connection, 'comments'), [upsert(data)])
            const name = `${one.connection}/${one.id}`
            model.set(name, { ...one, arrival: model.get(name)?.arrival ?? model.size })
          }
          const scope = scopeFor(CONNECTIONS, granted, {}, 'comments')
          const parents = CONNECTIONS.flatMap((connectionId) =>
            ['a', 'b', 'c', 'childless'].map((key) => ({ connectionId, key })),
          )
          const lists = await storage.records.children(scope, { foreignKey: 'entry_id', parents, limit, maxBytes: 1e9 })
          const limits = { name: 'comments', instance_ids: CONNECTIONS, ...granted } as StreamGrant
          for (const parent of parents) {
            const own = [...model.values()]
              .filter(({ connection, entry }) => connection === parent.connectionId && entry === parent.key)
              .filter((one) =>
                permitsRecord(limits, {
                  connectionId: one.connection,
                  key: one.id,
                  time: one.day === null ? undefined : day(one.day),
                }),
              )
              .sort((a, b) => (b.day ?? -1) - (a.day ?? -1) || b.arrival - a.arrival)
            const list = lists.get(parentKey(parent)) ?? { records: [], hasMore: false }
            expect(list.records.map(({ key }) => key)).toEqual(own.slice(0, limit).map(({ id }) => id))
            expect(list.hasMore).toBe(own.length > limit)
          }
          await storage.close()
        }),
        { numRuns: repetitions(10, 30), seed: 2 },
      )
    }, 300_000)
  })
}
