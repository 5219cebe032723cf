import { parseInstant, permitsRecord, type StreamGrant } from '@pdpp/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repetitions } from '../../../../../tests/fixtures/repetitions.ts'
import type { FieldCondition } from '../../records/filter.ts'
import type { Storage } from '../contract.ts'
import type { OpenStorage } from './contract.cases.ts'
import { readAllKeys, scopeFor, seed, target, upsert } from './contract.fixture.ts'

const CONNECTIONS = ['home', 'work']
const day = (n: number) => `2026-01-${String(n + 1).padStart(2, '0')}T00:00:00Z`

interface Row {
  readonly connection: string
  readonly id: string
  readonly at: string | null
  readonly score: number | undefined
  readonly mood: string | undefined
  readonly title: string | undefined
}

const row: fc.Arbitrary<Row> = fc.record({
  connection: fc.constantFrom(...CONNECTIONS),
  id: fc.integer({ min: 0, max: 25 }).map((n) => `k${n}`),
  at: fc.option(fc.integer({ min: 0, max: 9 }).map(day)),
  score: fc.option(fc.integer({ min: -2, max: 3 }), { nil: undefined }),
  mood: fc.constantFrom('calm', 'wild', "o'hara", 'Ä', undefined),
  title: fc.constantFrom('x', 'y "quoted"', undefined),
})

const condition: fc.Arbitrary<FieldCondition> = fc.oneof(
  fc.record({
    field: fc.constant('mood'),
    operator: fc.constant('eq' as const),
    value: fc.constantFrom('calm', "o'hara", 'Ä', 'none'),
  }),
  fc.record({
    field: fc.constant('title'),
    operator: fc.constant('eq' as const),
    value: fc.constantFrom('x', 'y "quoted"'),
  }),
  fc.record({ field: fc.constant('score'), operator: operators(), value: fc.integer({ min: -2, max: 3 }) }),
  fc.record({
    field: fc.constant('at'),
    operator: operators(),
    value: fc.integer({ min: 0, max: 9 }).map((n) => parseInstant(day(n))!),
  }),
)

function operators() {
  return fc.constantFrom('eq' as const, 'gte' as const, 'gt' as const, 'lte' as const, 'lt' as const)
}

const limits: fc.Arbitrary<Partial<StreamGrant>> = fc.record(
  {
    fields: fc.constant(['id', 'at', 'title', 'mood', 'score']),
    time_constraint: fc.record({
      field: fc.constant('at'),
      since: fc.integer({ min: 0, max: 4 }).map(day),
      until: fc.integer({ min: 5, max: 10 }).map(day),
    }),
    resources: fc.subarray(
      Array.from({ length: 26 }, (_, n) => `k${n}`),
      { minLength: 1 },
    ),
    instance_ids: fc.subarray(CONNECTIONS, { minLength: 1 }),
  },
  { requiredKeys: ['fields'] },
)

const order = fc.record({
  sort: fc.constantFrom('at', 'score', undefined),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 9 }),
})

export function filterCases(open: OpenStorage): void {
  describe('filters, order and paging', () => {
    it('agree with a slow computation for any data, grant, filter and order', async () => {
      const all = fc.tuple(fc.array(row, { maxLength: 60 }), limits, fc.array(condition, { maxLength: 3 }), order)
      await fc.assert(
        fc.asyncProperty(all, async ([rows, granted, conditions, paging]) => {
          const storage = await open()
          await agree(storage, rows, granted, conditions, paging)
          await storage.close()
        }),
        { numRuns: repetitions(12, 40), seed: 5 },
      )
    }, 300_000)
  })
}

async function agree(
  storage: Storage,
  rows: readonly Row[],
  granted: Partial<StreamGrant>,
  conditions: readonly FieldCondition[],
  paging: { sort: string | undefined; order: 'asc' | 'desc'; limit: number },
) {
  await seed(storage, CONNECTIONS)
  const model = new Map<string, Row & { arrival: number }>()
  for (const { connection, ...data } of rows) {
    await storage.writer.write(target(connection), [upsert({ ...data, secret: 'hidden' })])
    const name = `${connection}/${data.id}`
    model.set(name, { ...data, connection, arrival: model.get(name)?.arrival ?? model.size })
  }
  const grant = { name: 'entries', instance_ids: CONNECTIONS, ...granted } as StreamGrant
  const expected = [...model.values()].filter((entry) => {
    const place = { connectionId: entry.connection, key: entry.id, time: entry.at ?? undefined }
    return permitsRecord(grant, place) && conditions.every((one) => holds(one, entry))
  })
  expected.sort(
    (a, b) =>
      compare(fieldValue(a, paging.sort), fieldValue(b, paging.sort), paging.order) ||
      (paging.order === 'asc' ? a.arrival - b.arrival : b.arrival - a.arrival),
  )
  const scope = scopeFor(CONNECTIONS, granted)
  expect(await readAllKeys(storage, scope, paging.sort, paging.order, paging.limit, conditions)).toEqual(
    expected.map(({ connection, id }) => `${connection}/${id}`),
  )
  expect(await storage.records.count(scope, conditions)).toBe(expected.length)
}

function holds({ field, operator, value }: FieldCondition, entry: Row): boolean {
  const own = fieldValue(entry, field)
  if (own === undefined || own === null) return false
  switch (operator) {
    case 'eq':
      return own === value
    case 'gte':
      return own >= value
    case 'gt':
      return own > value
    case 'lte':
      return own <= value
    case 'lt':
      return own < value
  }
}

function fieldValue(entry: Row, field: string | undefined): string | number | undefined {
  if (field === 'at') return entry.at === null ? undefined : parseInstant(entry.at)
  return field === undefined
    ? undefined
    : ((entry as unknown as Record<string, string | number | undefined>)[field] ?? undefined)
}

function compare(a: string | number | undefined, b: string | number | undefined, direction: 'asc' | 'desc'): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  return (a < b ? -1 : a > b ? 1 : 0) * (direction === 'asc' ? 1 : -1)
}
