import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RecordWrite } from '../../records/record-store.ts'
import type { OpenStorage } from './contract.cases.ts'
import { dataOf, readAllKeys, remove, scopeFor, seed, target, upsert } from './contract.fixture.ts'

const day = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString()

export function pageCases(open: OpenStorage): void {
  describe('pages', () => {
    it('pages over several connections in one order, nulls last', async () => {
      const storage = await open()
      const connections = ['home', 'work', 'old']
      await seed(storage, connections)
      const row = fc.record({
        connection: fc.constantFrom(...connections),
        id: fc.integer({ min: 0, max: 400 }),
        day: fc.option(fc.integer({ min: 0, max: 20 })),
        score: fc.option(fc.integer({ min: -3, max: 3 })),
      })
      const rows = fc.sample(row, { numRuns: 300, seed: 7 })
      const model = new Map<string, { at: number | null; score: number | null; arrival: number }>()
      let arrival = 0
      for (const { connection, id, day: n, score } of rows) {
        const record = { id: `k${id}`, at: n === null ? null : day(n), ...(score === null ? {} : { score }) }
        await storage.writer.write(target(connection), [upsert(record)])
        const name = `${connection}/k${id}`
        model.set(name, { at: n, score, arrival: model.get(name)?.arrival ?? arrival++ })
      }
      for (const [sort, pick] of [
        ['at', 'at'],
        ['score', 'score'],
        [undefined, undefined],
      ] as const) {
        for (const order of ['asc', 'desc'] as const) {
          const expected = [...model].sort(
            ([, a], [, b]) =>
              compare(pick && a[pick], pick && b[pick], order) ||
              (order === 'asc' ? a.arrival - b.arrival : b.arrival - a.arrival),
          )
          expect(await readAllKeys(storage, scopeFor(connections), sort, order, 7)).toEqual(
            expected.map(([name]) => name),
          )
        }
      }
      await storage.close()
    })

    it('pages and finds in the same order over few and many connections', async () => {
      const storage = await open()
      const connections = Array.from({ length: 20 }, (_, n) => `c${String(n).padStart(2, '0')}`)
      await seed(storage, connections)
      for (const [n, connection] of connections.entries()) {
        const rows = [0, 1, 2].map((k) => upsert({ id: `k${k}`, at: k === 2 ? null : day((n * 7 + k) % 9) }))
        await storage.writer.write(target(connection), rows)
      }
      for (const order of ['asc', 'desc'] as const) {
        const all = await readAllKeys(storage, scopeFor(connections), 'at', order, 7)
        expect(all).toHaveLength(60)
        for (const count of [1, 2, 16, 17]) {
          const some = connections.slice(0, count)
          const expected = all.filter((key) => some.includes(key.split('/')[0]!))
          expect(await readAllKeys(storage, scopeFor(some), 'at', order, 7)).toEqual(expected)
          const found = await storage.records.find(scopeFor(some), 'k1')
          expect(found.map(({ connectionId }) => connectionId)).toEqual(some)
        }
      }
      expect(await storage.records.find(scopeFor(connections), 'nothing')).toEqual([])
      await storage.close()
    })

    it('pages exactly over times in the far future', async () => {
      const storage = await open()
      await seed(storage, ['home'])
      const times = ['2026-01-01T00:00:00.000001Z', ...[7, 6, 9, 8].map((n) => `9999-12-31T23:59:5${n}.999999Z`)]
      await storage.writer.write(
        target('home'),
        times.map((at, n) => upsert({ id: `k${n}`, at })),
      )
      const expected = ['k0', 'k2', 'k1', 'k4', 'k3'].map((id) => `home/${id}`)
      for (const size of [1, 2, 5]) {
        expect(await readAllKeys(storage, scopeFor(['home']), 'at', 'asc', size)).toEqual(expected)
        expect(await readAllKeys(storage, scopeFor(['home']), 'at', 'desc', size)).toEqual(expected.toReversed())
      }
      await storage.close()
    })

    it('shows only granted fields, times, records and connections', async () => {
      const storage = await open()
      await seed(storage, ['home', 'work'])
      for (const connection of ['home', 'work']) {
        const rows = [1, 2, 3, 4].map((n) => upsert({ id: `k${n}`, at: day(n), title: `t${n}`, secret: 's' }))
        await storage.writer.write(target(connection), [...rows, upsert({ id: 'timeless', title: 'none' })])
      }
      const all = async (scope: Parameters<typeof readAllKeys>[1]) =>
        (await readAllKeys(storage, scope, undefined, 'asc')).toSorted()
      const time = { field: 'at', since: day(2), until: day(4) }
      expect(await all(scopeFor(['home'], { time_constraint: time }))).toEqual(['home/k2', 'home/k3'])
      expect(await all(scopeFor(['home', 'work'], { resources: ['k1', 'nope'] }))).toEqual(['home/k1', 'work/k1'])
      expect(await all(scopeFor(['home', 'work'], {}, { connectionId: 'work' }))).toHaveLength(5)
      expect(await storage.records.count(scopeFor(['home', 'work'], { time_constraint: time }))).toBe(4)
      expect(await storage.records.find(scopeFor(['home'], { time_constraint: time }), 'k1')).toEqual([])
      expect(await storage.records.find(scopeFor(['home'], { time_constraint: time }), 'timeless')).toEqual([])
      const [record] = await storage.records.find(scopeFor(['home'], {}), 'k1')
      expect(dataOf(record!)).toEqual({ id: 'k1', at: day(1), title: 't1' })
      expect(await storage.records.find(scopeFor(['home', 'work'], {}), 'k1')).toHaveLength(2)
      const [entry] = await storage.records.statistics(scopeFor(['home'], { time_constraint: time }))
      expect(entry).toMatchObject({ count: 2, earliest: Date.parse(day(2)) * 1000, latest: Date.parse(day(3)) * 1000 })
      await storage.close()
    })

    it('sorts a time-limited page by another field, for few or many matches', async () => {
      const storage = await open()
      await seed(storage)
      const rows = Array.from({ length: 6000 }, (_, n) =>
        upsert({ id: `k${n}`, at: day(n % 100), score: (n * 7919) % 6000 }),
      )
      for (let from = 0; from < rows.length; from += 1000)
        await storage.writer.write(target(), rows.slice(from, from + 1000))
      for (const since of [day(99), day(1)]) {
        const scope = scopeFor(['home'], { fields: ['id', 'at', 'score'], time_constraint: { field: 'at', since } })
        const page = await storage.records.page(scope, {
          sort: 'score',
          order: 'desc',
          after: undefined,
          limit: 50,
          maxBytes: 1e7,
        })
        const expected = rows.map((row) => row.data!.members).filter((row) => String(row['at']) >= since)
        expected.sort((a, b) => Number(b['score']) - Number(a['score']))
        expect(page.records.map((record) => record.key)).toEqual(expected.slice(0, 50).map((row) => row['id']))
      }
      await storage.close()
    })

    it('keeps large records in order among small ones', async () => {
      const storage = await open()
      await seed(storage)
      const texts = Array.from({ length: 6 }, (_, n) => 'x'.repeat(n % 2 === 0 ? 10 : 100_000))
      await storage.writer.write(
        target(),
        texts.map((title, n) => upsert({ id: `k${n}`, at: `2026-01-0${n + 1}T00:00:00Z`, title, score: n })),
      )
      for (const sort of ['at', 'score', undefined]) {
        const query = { sort, order: 'desc', after: undefined, limit: 5, maxBytes: 1e7 } as const
        const { records, hasMore } = await storage.records.page(scopeFor(['home']), query)
        const expected = texts.map((title, n) => [`k${n}`, title.length]).toReversed()
        expect(records.map((record) => [record.key, String(dataOf(record)['title']).length])).toEqual(
          expected.slice(0, 5),
        )
        expect(hasMore).toBe(true)
      }
      await storage.close()
    })

    it('shows the short fields of large records as they are now', async () => {
      const storage = await open()
      await seed(storage)
      const long = 'x'.repeat(100_000)
      const scope = scopeFor(['home'], { fields: ['id', 'score', 'odd "name"', 'mood'] })
      const query = { sort: 'score', order: 'asc', after: undefined, limit: 5, maxBytes: 1e7 } as const
      const shown = async () => (await storage.records.page(scope, query)).records.map(dataOf)
      const write = (...records: RecordWrite[]) => storage.writer.write(target(), records)
      await write(
        upsert({ id: 'a', title: long, score: 1, 'odd "name"': 'Straße 👍' }),
        upsert({ id: 'b', secret: long, score: 2, mood: long, more: 'undeclared' }),
        upsert({ id: 'c', title: long, score: 3 }),
      )
      const b = { id: 'b', score: 2, mood: long }
      expect(await shown()).toEqual([{ id: 'a', score: 1, 'odd "name"': 'Straße 👍' }, b, { id: 'c', score: 3 }])
      await write(upsert({ id: 'a', title: long, score: 7 }), upsert({ id: 'b', title: long, score: 2 }), remove('c'))
      expect(await shown()).toEqual([
        { id: 'b', score: 2 },
        { id: 'a', score: 7 },
      ])
      await write(upsert({ id: 'a', title: 'short', score: 1 }), upsert({ id: 'c', score: 4, mood: 'new' }))
      expect((await shown()).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
      await storage.close()
    })

    it('ends a page at its max. bytes', async () => {
      const storage = await open()
      await seed(storage)
      await storage.writer.write(
        target(),
        Array.from({ length: 10 }, (_, n) => upsert({ id: `k${n}`, title: 'x'.repeat(10_000) })),
      )
      const page = await storage.records.page(scopeFor(['home']), {
        sort: undefined,
        order: 'asc',
        after: undefined,
        limit: 10,
        maxBytes: 25_000,
      })
      expect(page.records).toHaveLength(3)
      expect(page.hasMore).toBe(true)
      await storage.close()
    })
  })
}

function compare(a: number | null | undefined, b: number | null | undefined, order: 'asc' | 'desc'): number {
  if (a == null || b == null) return a == null && b == null ? 0 : a == null ? 1 : -1
  return order === 'asc' ? a - b : b - a
}
