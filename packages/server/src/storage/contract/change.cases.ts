import { permitsRecord, type StreamGrant } from '@pdpp/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repetitions } from '../../../../../tests/fixtures/repetitions.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { FeedPosition } from '../../records/record-store.ts'
import type { Storage } from '../contract.ts'
import type { OpenStorage } from './contract.cases.ts'
import { dataOf, remove, scopeFor, seed, target, upsert } from './contract.fixture.ts'

const day = (n: number) => `2026-01-${String(n + 1).padStart(2, '0')}T00:00:00Z`

/** All changes from a position on, read page by page. */
async function changesOf(storage: Storage, scope: ReadScope, since: readonly FeedPosition[], limit = 3) {
  const horizon = await storage.records.versions(scope)
  const changes = []
  let from = since
  for (let pages = 0; pages < 200; pages++) {
    const page = await storage.records.changes(scope, { since: from, horizon, limit, maxBytes: 1e9 })
    changes.push(...page.changes)
    if (!page.hasMore) {
      // Counting without reading must agree with every walk of these cases.
      const deleted = changes.filter((change) => 'tombstone' in change).length
      const counted = await storage.records.countChanges(scope, { since, horizon })
      expect(counted).toEqual({ upserted: changes.length - deleted, deleted })
      return { changes, horizon }
    }
    const { at } = page.changes.at(-1)!
    const reached = horizon.findIndex(({ feed }) => feed === at.feed)
    from = horizon.flatMap((end, index) =>
      index < reached ? [end] : index === reached ? [at] : since.filter(({ feed }) => feed === end.feed),
    )
  }
  throw new Error('Paging does not end.')
}

export function changeCases(open: OpenStorage): void {
  describe('changes', () => {
    it('reports a change only if the scope includes the field', async () => {
      const storage = await open()
      await seed(storage)
      await storage.writer.write(target(), [upsert({ id: 'a', at: day(1), title: 'T', secret: 's' })])
      const [narrow, wide] = [scopeFor(['home'], {}), scopeFor(['home'], { fields: ['id', 'at', 'title', 'secret'] })]
      const { horizon } = await changesOf(storage, narrow, [])
      await storage.writer.write(target(), [upsert({ id: 'a', at: day(1), title: 'T', secret: 'other' }, 7000)])
      expect((await changesOf(storage, narrow, horizon)).changes).toEqual([])
      expect((await changesOf(storage, wide, horizon)).changes).toHaveLength(1)
      const [before] = await storage.records.find(narrow, 'a')
      expect(before!.emittedAt).toBe(1000)
      await storage.close()
    })

    it('reports large records among small and deleted ones', async () => {
      const storage = await open()
      await seed(storage)
      const texts = Array.from({ length: 6 }, (_, n) => 'x'.repeat(n % 2 === 0 ? 10 : 100_000))
      await storage.writer.write(
        target(),
        texts.map((title, n) => upsert({ id: `k${n}`, at: day(n), title })),
      )
      await storage.writer.write(target(), [remove('k2'), remove('k3')])
      const { changes } = await changesOf(storage, scopeFor(['home']), [])
      const lengths = changes.map((change) =>
        'record' in change
          ? [change.record.key, String(dataOf(change.record)['title']).length]
          : [change.tombstone.key],
      )
      expect(lengths).toEqual([['k0', 10], ['k1', 100_000], ['k4', 10], ['k5', 100_000], ['k2'], ['k3']])
      await storage.close()
    })

    it('reports once that a record left, whatever happens to it afterwards', async () => {
      const storage = await open()
      await seed(storage)
      const scope = scopeFor(['home'], { time_constraint: { field: 'at', since: day(0), until: day(2) } })
      const write = (at: string, title: string) =>
        storage.writer.write(target(), [upsert({ id: 'a', at, title, secret: 's' })])
      await write(day(1), 'seen')
      const { horizon: seen } = await changesOf(storage, scope, [])
      await write(day(5), 'left')
      const { changes, horizon: left } = await changesOf(storage, scope, seen)
      expect(changes).toMatchObject([{ tombstone: { key: 'a' } }])
      await write(day(5), 'changed while invisible')
      await write(day(4), 'moved while invisible')
      await storage.writer.write(target(), [remove('a')])
      await write(day(6), 'came back while invisible')
      expect((await changesOf(storage, scope, left)).changes).toEqual([])
      expect((await changesOf(storage, scope, seen)).changes).toMatchObject([{ tombstone: { key: 'a' } }])
      await write(day(1), 'seen again')
      expect((await changesOf(storage, scope, left)).changes).toMatchObject([{ record: { key: 'a' } }])
      await write(day(5), 'left again')
      // A client that missed the return gets one tombstone, not two.
      expect((await changesOf(storage, scope, seen)).changes).toMatchObject([{ tombstone: { key: 'a' } }])
      await storage.close()
    })

    it('keeps a client exactly in sync, for any writes and any grant', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), grant, (steps, granted) => inSync(open, steps, granted)),
        { numRuns: repetitions(12, 40), seed: 11 },
      )
    }, 300_000)
  })
}

type Step =
  | { do: 'upsert'; connection: string; id: string; day: number | null; title: string; secret: string }
  | { do: 'remove'; connection: string; id: string }
  | { do: 'read'; limit: number }

const id = fc.constantFrom('a', 'b', 'c')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('upsert' as const),
      connection: fc.constantFrom('home', 'work'),
      id,
      day: fc.option(fc.integer({ min: 0, max: 5 })),
      title: fc.constantFrom('x', 'y'),
      secret: fc.constantFrom('p', 'q'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('remove' as const), connection: fc.constantFrom('home', 'work'), id }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 4 }) }) },
)
const grant: fc.Arbitrary<Partial<StreamGrant>> = fc.record(
  {
    fields: fc.constantFrom(['id', 'at'], ['id', 'at', 'title'], ['id', 'at', 'title', 'secret']),
    time_constraint: fc.record({
      field: fc.constant('at'),
      since: fc.integer({ min: 0, max: 3 }).map(day),
      until: fc.integer({ min: 4, max: 6 }).map(day),
    }),
    resources: fc.constantFrom(['a'], ['a', 'b']),
  },
  { requiredKeys: ['fields'] },
)

/** A client that applies all changes must hold exactly what it can read. */
async function inSync(open: OpenStorage, steps: readonly Step[], granted: Partial<StreamGrant>): Promise<void> {
  const storage = await open()
  await seed(storage, ['home', 'work'])
  const scope = scopeFor(['home', 'work'], granted)
  const truth = new Map<string, Record<string, unknown>>()
  const held = new Map<string, Record<string, unknown>>()
  let since: readonly FeedPosition[] = []
  for (const action of [...steps, { do: 'read' as const, limit: 2 }]) {
    if (action.do === 'read') {
      const { changes, horizon } = await changesOf(storage, scope, since, action.limit)
      since = horizon
      for (const change of changes) {
        if ('record' in change) held.set(`${change.record.connectionId}/${change.record.key}`, dataOf(change.record))
        else held.delete(`${change.tombstone.connectionId}/${change.tombstone.key}`)
      }
      expect(Object.fromEntries(held)).toEqual(visible(truth, scope, granted))
    } else if (action.do === 'remove') {
      await storage.writer.write(target(action.connection), [remove(action.id)])
      truth.delete(`${action.connection}/${action.id}`)
    } else {
      const record = {
        id: action.id,
        at: action.day === null ? null : day(action.day),
        title: action.title,
        secret: action.secret,
      }
      await storage.writer.write(target(action.connection), [upsert(record)])
      truth.set(`${action.connection}/${action.id}`, record)
    }
  }
  await storage.close()
}

function visible(truth: Map<string, Record<string, unknown>>, scope: ReadScope, granted: Partial<StreamGrant>) {
  const full = {
    name: 'entries',
    instance_ids: ['home', 'work'],
    fields: [...(scope.projection as string[])],
    ...granted,
  } as StreamGrant
  const permitted = [...truth].filter(([name, record]) => {
    const [connectionId, key] = name.split('/') as [string, string]
    return permitsRecord(full, { connectionId, key, time: (record['at'] as string | null) ?? undefined })
  })
  return Object.fromEntries(
    permitted.map(([name, record]) => [name, Object.fromEntries(full.fields.map((field) => [field, record[field]]))]),
  )
}
