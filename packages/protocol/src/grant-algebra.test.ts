import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StreamGrant } from './grant.ts'
import { type Narrowing, narrowStream, permitsRecord, projectData, type RecordAttributes } from './grant-algebra.ts'

// Small worlds, so that inputs overlap often and every combination can be tried.
const connections = ['c1', 'c2', 'c3']
const fields = ['id', 'at', 'title', 'body']
const keys = ['k1', 'k2', 'k3']
const times = [
  '2026-01-01',
  '2026-01-01T12:00:00+14:00',
  '2026-01-02T00:00:00Z',
  '2026-01-02T01:00:00+01:00',
  '2026-01-03',
]
const records: RecordAttributes[] = connections.flatMap((connectionId) =>
  keys.flatMap((key) => [undefined, 'soon', ...times].map((time) => ({ connectionId, key, time }))),
)

const some = (of: string[]) => fc.subarray(of, { minLength: 1 })
const limits = { since: fc.constantFrom(...times), until: fc.constantFrom(...times) }
const grantOf = (withTime: boolean): fc.Arbitrary<StreamGrant> =>
  fc.record(
    {
      name: fc.constant('s'),
      instance_ids: some(connections),
      fields: some(fields),
      ...(withTime
        ? { time_constraint: fc.record({ field: fc.constant('at'), ...limits }, { requiredKeys: ['field'] }) }
        : {}),
      resources: some(keys),
    },
    { requiredKeys: ['name', 'instance_ids', 'fields'] },
  ) as fc.Arbitrary<StreamGrant>
const grant = grantOf(true)
const narrowing: fc.Arbitrary<Narrowing> = fc.record(
  { connections: fc.subarray(connections), fields: fc.subarray(fields), resources: fc.subarray(keys), ...limits },
  { requiredKeys: [] },
)

/** Tells whether a narrowing allows one field of one record. */
function allows(by: Narrowing, record: RecordAttributes, field: string): boolean {
  const at = Date.parse(record.time ?? '')
  return (
    (by.connections?.includes(record.connectionId) ?? true) &&
    (by.resources?.includes(record.key) ?? true) &&
    (by.fields?.includes(field) ?? true) &&
    (by.since === undefined || at >= Date.parse(by.since)) &&
    (by.until === undefined || at < Date.parse(by.until))
  )
}

const shows = (granted: StreamGrant | undefined, record: RecordAttributes, field: string): boolean =>
  (granted?.fields.includes(field) ?? false) && permitsRecord(granted!, record)

/** Everything that a grant shows of this small world, as text. */
const visibleText = (granted: StreamGrant | undefined): string[] =>
  records.flatMap((record) =>
    fields.filter((field) => shows(granted, record, field)).map((field) => JSON.stringify([record, field])),
  )

describe('narrowing a grant', () => {
  test('shows exactly the intersection of both', () => {
    fc.assert(
      fc.property(grant, narrowing, (granted, by) => {
        const result = narrowStream(granted, by, 'at')
        for (const record of records)
          for (const field of fields)
            expect(shows(result, record, field)).toBe(shows(granted, record, field) && allows(by, record, field))
      }),
      { numRuns: 200 },
    )
  })

  test('never widens, even without a readable time', () => {
    const bad = fc.constantFrom('soon', '', '2026-02-30', '0', 'NaN')
    const broken = fc.record(
      { since: fc.oneof(bad, limits.since), until: fc.oneof(bad, limits.until) },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(grant, broken, fc.constantFrom('at', undefined), (granted, by, timeField) => {
        const before = new Set(visibleText(granted))
        expect(visibleText(narrowStream(granted, by, timeField)).filter((record) => !before.has(record))).toEqual([])
      }),
    )
    const since2026 = {
      name: 's',
      instance_ids: ['c1'],
      fields: ['id'],
      time_constraint: { field: 'at', since: '2026-01-01' },
    }
    expect(narrowStream(since2026, { since: 'soon' })).toBeUndefined()
    expect(narrowStream(since2026, { until: 'soon' })).toBeUndefined()
  })

  test('is idempotent', () => {
    fc.assert(
      fc.property(grant, narrowing, (granted, by) => {
        const once = narrowStream(granted, by, 'at')
        fc.pre(once !== undefined)
        expect(narrowStream(once!, by, 'at')).toEqual(once)
      }),
    )
  })

  test('does not depend on the order of two narrowings', () => {
    fc.assert(
      fc.property(grant, narrowing, narrowing, (granted, one, other) => {
        const both = (first: Narrowing, second: Narrowing) => {
          const half = narrowStream(granted, first, 'at')
          return half && narrowStream(half, second, 'at')
        }
        expect(visibleText(both(one, other))).toEqual(visibleText(both(other, one)))
      }),
    )
  })

  test('returns undefined only if nothing is left', () => {
    fc.assert(
      fc.property(grant, narrowing, (granted, by) => {
        if (narrowStream(granted, by, 'at') !== undefined) return
        const left = records.some((record) => fields.some((f) => shows(granted, record, f) && allows(by, record, f)))
        expect(left).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test('by nothing changes nothing, and inputs stay unmodified', () => {
    fc.assert(
      fc.property(grant, narrowing, (granted, by) => {
        const [before, asking] = [structuredClone(granted), structuredClone(by)]
        expect(narrowStream(granted, {}, 'at')).toEqual(before)
        narrowStream(granted, by, 'at')
        expect([granted, by]).toEqual([before, asking])
      }),
    )
  })

  test('by time leaves nothing of a stream without times', () => {
    fc.assert(
      fc.property(grantOf(false), limits.since, (granted, since) => {
        expect(narrowStream(granted, { since })).toBeUndefined()
        expect(narrowStream(granted, { until: since })).toBeUndefined()
      }),
    )
  })

  test('compares instants, not texts', () => {
    const granted = {
      name: 's',
      instance_ids: ['c1'],
      fields: ['id'],
      time_constraint: { field: 'at', since: '2026-01-01T00:00:00Z' },
    }
    const earlier = narrowStream(granted, { since: '2026-01-01T09:00:00+10:00' })
    expect(earlier?.time_constraint).toEqual({ field: 'at', since: '2026-01-01T00:00:00Z' })
  })
})

describe('a time limit', () => {
  const limited: StreamGrant = {
    name: 's',
    instance_ids: ['c1'],
    fields: ['id'],
    time_constraint: { field: 'at', since: '2026-01-01', until: '2026-02-01' },
  }
  const at = (time: string | undefined) => permitsRecord(limited, { connectionId: 'c1', key: 'k', time })

  test('includes its start and excludes its end', () => {
    expect(['2025-12-31T23:59:59.999999Z', '2026-01-01', '2026-01-31T23:59:59Z', '2026-02-01'].map(at)).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('hides a record without a readable time', () => {
    expect([undefined, '', 'soon', '2026-01-40'].map(at)).toEqual([false, false, false, false])
  })

  test('hides everything if the limit itself is unreadable', () => {
    for (const constraint of [{ since: 'soon' }, { until: 'soon' }]) {
      const broken = { ...limited, time_constraint: { field: 'at', ...constraint } }
      expect(permitsRecord(broken, { connectionId: 'c1', key: 'k', time: '2026-01-15' })).toBe(false)
    }
  })

  test('without bounds still hides a record without a time', () => {
    const open = { ...limited, time_constraint: { field: 'at' } }
    expect(permitsRecord(open, { connectionId: 'c1', key: 'k' })).toBe(false)
    expect(permitsRecord(open, { connectionId: 'c1', key: 'k', time: '1999-01-01' })).toBe(true)
  })
})

describe('a projection', () => {
  const data = fc.dictionary(fc.constantFrom(...fields, '__proto__', 'constructor'), fc.nat())

  test("twice is the intersection, in the record's order", () => {
    fc.assert(
      fc.property(data, fc.subarray(fields), fc.subarray(fields), (record, one, other) => {
        const both = one.filter((name) => other.includes(name))
        const result = projectData(projectData(record, one), other)
        expect(result).toEqual(projectData(record, both))
        expect(Object.keys(result)).toEqual(Object.keys(record).filter((name) => both.includes(name)))
      }),
    )
  })

  test('never adds a member', () => {
    expect(projectData({ id: 1 }, ['id', 'constructor', '__proto__', 'toString'])).toEqual({ id: 1 })
    expect(Object.keys(projectData({ id: 1 }, ['toString']))).toEqual([])
  })
})
