import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StreamGrant } from './grant.ts'
import { type Narrowing, narrowStream, permitsRecord, projectData, type RecordAttributes } from './grant-algebra.ts'

// Small worlds, so that inputs overlap often and every place in them can be tried.
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
const places: RecordAttributes[] = connections.flatMap((connectionId) =>
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

/** What a narrowing asks for, read off one place and field at a time. */
function asked(by: Narrowing, place: RecordAttributes, field: string): boolean {
  const at = Date.parse(place.time ?? '')
  return (
    (by.connections?.includes(place.connectionId) ?? true) &&
    (by.resources?.includes(place.key) ?? true) &&
    (by.fields?.includes(field) ?? true) &&
    (by.since === undefined || at >= Date.parse(by.since)) &&
    (by.until === undefined || at < Date.parse(by.until))
  )
}

const shows = (given: StreamGrant | undefined, place: RecordAttributes, field: string): boolean =>
  (given?.fields.includes(field) ?? false) && permitsRecord(given!, place)

/** Everything a grant shows of the small world, as text. */
const shown = (given: StreamGrant | undefined): string[] =>
  places.flatMap((place) =>
    fields.filter((field) => shows(given, place, field)).map((field) => JSON.stringify([place, field])),
  )

describe('narrowing a grant', () => {
  test('shows exactly what both the grant and the narrowing allow: nothing more, nothing less', () => {
    fc.assert(
      fc.property(grant, narrowing, (given, by) => {
        const result = narrowStream(given, by, 'at')
        for (const place of places)
          for (const field of fields)
            expect(shows(result, place, field)).toBe(shows(given, place, field) && asked(by, place, field))
      }),
      { numRuns: 200 },
    )
  })

  test('never widens, also when a time cannot be read or no field holds one', () => {
    const bad = fc.constantFrom('soon', '', '2026-02-30', '0', 'NaN')
    const broken = fc.record(
      { since: fc.oneof(bad, limits.since), until: fc.oneof(bad, limits.until) },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(grant, broken, fc.constantFrom('at', undefined), (given, by, timeField) => {
        const before = new Set(shown(given))
        expect(shown(narrowStream(given, by, timeField)).filter((place) => !before.has(place))).toEqual([])
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

  test('twice by the same is the same as once', () => {
    fc.assert(
      fc.property(grant, narrowing, (given, by) => {
        const once = narrowStream(given, by, 'at')
        fc.pre(once !== undefined)
        expect(narrowStream(once!, by, 'at')).toEqual(once)
      }),
    )
  })

  test('by two things gives the same in either order', () => {
    fc.assert(
      fc.property(grant, narrowing, narrowing, (given, one, other) => {
        const both = (first: Narrowing, second: Narrowing) => {
          const half = narrowStream(given, first, 'at')
          return half && narrowStream(half, second, 'at')
        }
        expect(shown(both(one, other))).toEqual(shown(both(other, one)))
      }),
    )
  })

  test('is empty only when nothing is left', () => {
    fc.assert(
      fc.property(grant, narrowing, (given, by) => {
        if (narrowStream(given, by, 'at') !== undefined) return
        const left = places.some((place) => fields.some((f) => shows(given, place, f) && asked(by, place, f)))
        expect(left).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test('by nothing leaves it as it was, and never changes its inputs', () => {
    fc.assert(
      fc.property(grant, narrowing, (given, by) => {
        const [before, asking] = [structuredClone(given), structuredClone(by)]
        expect(narrowStream(given, {}, 'at')).toEqual(before)
        narrowStream(given, by, 'at')
        expect([given, by]).toEqual([before, asking])
      }),
    )
  })

  test('by a time, of a stream that has none, leaves nothing', () => {
    fc.assert(
      fc.property(grantOf(false), limits.since, (given, since) => {
        expect(narrowStream(given, { since })).toBeUndefined()
        expect(narrowStream(given, { until: since })).toBeUndefined()
      }),
    )
  })

  test('compares instants, not texts', () => {
    const given = {
      name: 's',
      instance_ids: ['c1'],
      fields: ['id'],
      time_constraint: { field: 'at', since: '2026-01-01T00:00:00Z' },
    }
    const earlier = narrowStream(given, { since: '2026-01-01T09:00:00+10:00' })
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

  test('includes its start and not its end', () => {
    expect(['2025-12-31T23:59:59.999999Z', '2026-01-01', '2026-01-31T23:59:59Z', '2026-02-01'].map(at)).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('hides a record that has no time, or none that can be read', () => {
    expect([undefined, '', 'soon', '2026-01-40'].map(at)).toEqual([false, false, false, false])
  })

  test('that cannot be read itself hides everything', () => {
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

  test('of a projection is that by what both name, in the order of the record', () => {
    fc.assert(
      fc.property(data, fc.subarray(fields), fc.subarray(fields), (record, one, other) => {
        const both = one.filter((name) => other.includes(name))
        const result = projectData(projectData(record, one), other)
        expect(result).toEqual(projectData(record, both))
        expect(Object.keys(result)).toEqual(Object.keys(record).filter((name) => both.includes(name)))
      }),
    )
  })

  test('never has a member that the record has not', () => {
    expect(projectData({ id: 1 }, ['id', 'constructor', '__proto__', 'toString'])).toEqual({ id: 1 })
    expect(Object.keys(projectData({ id: 1 }, ['toString']))).toEqual([])
  })
})
