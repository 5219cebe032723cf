import { parseInstant, permitsRecord, type StreamGrant } from '@pdpp/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repetitions } from '../../../../../tests/fixtures/repetitions.ts'
import type { AggregateQuery } from '../../aggregates/aggregate-store.ts'
import { GRANULARITIES } from '../../aggregates/time-buckets.ts'
import type { FieldCondition } from '../../records/filter.ts'
import { comparable, expectedAggregate, type ModelRecord, withWholeNumbers } from './aggregate-oracle.fixture.ts'
import type { OpenStorage } from './contract.cases.ts'
import { scopeFor, seed, target, upsert } from './contract.fixture.ts'

const CONNECTIONS = ['home', 'work', 'old']
const big = (text: string) => JSON.rawJSON(text)

/** Times near clock changes, in several years, beyond a double's microseconds, and at both ends of time. */
const instant = fc.oneof(
  { weight: 8, arbitrary: aroundChanges('2026-03-08', '2026-11-01', '2026-04-04', '2026-10-25', '2011-12-30') },
  {
    weight: 2,
    arbitrary: fc
      .date({ min: new Date('1995-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((at) => at.toISOString()),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '1883-11-18T17:00:00Z',
      '2026-01-01T00:00:00.123456Z',
    ),
  },
)

function aroundChanges(...days: string[]): fc.Arbitrary<string> {
  const seconds = fc.integer({ min: -90_000, max: 130_000 })
  return fc
    .tuple(fc.constantFrom(...days), seconds)
    .map(([day, second]) => new Date(Date.parse(day) + second * 1000).toISOString())
}

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 5 })
const record: fc.Arbitrary<ModelRecord> = fc.record({
  connection: fc.constantFrom(...CONNECTIONS),
  id: fc.integer({ min: 0, max: 80 }).map((n) => `k${n}`),
  at: optional(instant),
  title: optional(fc.constantFrom('a', 'b', 'ä', '𝔸')),
  mood: optional(fc.constantFrom('calm', 'grün', 'é', '👪', '￿', 'Calm', '')),
  score: optional(
    fc.constantFrom<unknown>(
      0,
      1,
      -7,
      12,
      9007199254740991,
      big('9007199254740993'),
      big('-9007199254740993'),
      big('9223372036854775807'),
      big('-9223372036854775808'),
    ),
  ),
  weight: optional(fc.constantFrom(0, 0.25, -1.5, 3, 1e6)),
  done: optional(fc.boolean()),
  on: optional(fc.constantFrom('2025-12-31', '2026-01-01', '2026-01-02', '2026-03-08')),
  'odd "name"': optional(fc.constantFrom('x', 'y')),
})

const grant: fc.Arbitrary<Partial<StreamGrant> | undefined> = fc.option(
  fc.record(
    {
      time_constraint: fc.record({
        field: fc.constant('at'),
        since: fc.constantFrom('2026-03-08T06:00:00Z', '2000-01-01T00:00:00Z'),
      }),
      resources: fc.constantFrom(
        ['k1', 'k2', 'k3', 'k44'],
        Array.from({ length: 40 }, (_, n) => `k${n}`),
      ),
      instance_ids: fc.constantFrom(['home'], ['home', 'old'], CONNECTIONS),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
)

const condition: fc.Arbitrary<FieldCondition> = fc.constantFrom<FieldCondition>(
  { field: 'mood', operator: 'eq', value: 'grün' },
  { field: 'score', operator: 'gte', value: 0 },
  { field: 'score', operator: 'eq', value: 9007199254740993n },
  { field: 'title', operator: 'eq', value: 'ä' },
  { field: 'done', operator: 'eq', value: 1 },
  { field: 'weight', operator: 'eq', value: 0.25 },
  { field: 'at', operator: 'gte', value: parseInstant('2026-03-01')! },
  { field: 'at', operator: 'lt', value: parseInstant('2026-11-01T06:00:00Z')! },
)

const METRIC_FIELDS = {
  sum: ['score', 'weight'],
  avg: ['score', 'weight'],
  min: ['score', 'weight', 'at', 'on'],
  max: ['score', 'weight', 'at', 'on'],
  count_distinct: ['title', 'mood', 'score', 'odd "name"', 'at'],
} as const
const measure = fc.oneof(
  fc.constant({ metric: 'count' as const, field: undefined }),
  ...Object.entries(METRIC_FIELDS).map(([metric, fields]) =>
    fc.record({ metric: fc.constant(metric as keyof typeof METRIC_FIELDS), field: fc.constantFrom<string>(...fields) }),
  ),
)
const time = fc.record({
  field: fc.constantFrom('at', 'at', 'at', 'on'),
  granularity: fc.constantFrom(...GRANULARITIES),
  zone: fc.constantFrom(
    'UTC',
    'America/New_York',
    'Europe/Berlin',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
  ),
})
const fields = (max: number) => fc.uniqueArray(fc.constantFrom('mood', 'score', 'done', 'on'), { maxLength: max })
const query: fc.Arbitrary<AggregateQuery> = fc
  .option(time, { nil: undefined })
  .chain((chosen) =>
    fc
      .tuple(
        measure,
        fields(chosen ? 1 : 2),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.integer({ min: 1, max: 12 }),
        fc.uniqueArray(condition, { maxLength: 2 }),
      )
      .map(([of, groupBy, order, limit, conditions]) => ({ ...of, groupBy, time: chosen, order, limit, conditions })),
  )

export function aggregateCases(open: OpenStorage): void {
  describe('aggregates', () => {
    it('agree with a slow computation for any data, grant and query', async () => {
      const records = fc.array(record, { maxLength: 60 })
      const grants = fc.array(fc.tuple(grant, fc.array(query, { minLength: 4, maxLength: 4 })), {
        minLength: 6,
        maxLength: 6,
      })
      await fc.assert(
        fc.asyncProperty(records, grants, async (given, queriesByGrant) => {
          const storage = await open()
          await seed(storage, CONNECTIONS)
          const model = new Map<string, ModelRecord>()
          for (const { connection, ...members } of given) {
            await storage.writer.write(target(connection), [upsert(members)])
            model.set(`${connection}/${members.id}`, { connection, ...members })
          }
          for (const [granted, queries] of queriesByGrant) {
            const limits = granted && { ...granted, fields: [...FIELDS] }
            const scope = scopeFor(CONNECTIONS, limits)
            const visible = [...model.values()].filter((one) => permits(limits, one))
            for (const one of queries) {
              const answer = await storage.aggregates.aggregate(scope, one)
              expect(withWholeNumbers(answer)).toEqual(withWholeNumbers(expectedAggregate(visible, one)))
            }
          }
          await storage.close()
        }),
        { numRuns: repetitions(12, 40), seed: 5 },
      )
    }, 300_000)

    it('are empty if there are no records', async () => {
      const storage = await open()
      const base = { groupBy: [], time: undefined, order: 'desc' as const, limit: 10, conditions: [] }
      const count = { ...base, metric: 'count' as const, field: undefined }
      const nothing = { recordCount: 0, value: 0, groups: [], groupCount: 0 }
      expect(await storage.aggregates.aggregate(scopeFor(['home']), count)).toEqual(nothing)
      await seed(storage)
      expect(await storage.aggregates.aggregate(scopeFor(['home']), count)).toEqual(nothing)
      const sum = { ...base, metric: 'sum' as const, field: 'score' }
      expect(await storage.aggregates.aggregate(scopeFor(['home']), sum)).toEqual({ ...nothing, value: null })
      const grouped = {
        ...sum,
        groupBy: ['mood'],
        time: { field: 'at', granularity: 'month' as const, zone: 'Europe/Berlin' },
      }
      expect(await storage.aggregates.aggregate(scopeFor(['home']), grouped)).toEqual({ ...nothing, value: null })
      await storage.close()
    })
  })
}

const FIELDS = ['id', 'at', 'title', 'mood', 'score', 'weight', 'done', 'on', 'odd "name"'] as const

function permits(granted: (Partial<StreamGrant> & { fields: string[] }) | undefined, one: ModelRecord): boolean {
  if (!granted) return true
  const whole = { name: 'entries', instance_ids: CONNECTIONS, ...granted }
  return permitsRecord(whole, {
    connectionId: one.connection,
    key: one.id,
    time: (comparable('id', one['at']) as string) ?? undefined,
  })
}
