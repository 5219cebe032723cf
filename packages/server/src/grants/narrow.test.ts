import { type Grant, PdppError, permitsRecord, requireDeclaration } from '@pdpp/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { declaration, key, stream, text, time } from '../../../../tests/fixtures/declaration.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { type GrantNarrowing, narrowGrant } from './narrow.ts'

const entries = stream({ id: key(), at: time({ type: 'string', format: 'date-time' }), title: text(), body: text() })
const declared = requireDeclaration(declaration('journal', { s1: entries, s2: entries }))
const TIMES = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01']
const KEYS = ['k1', 'k2', 'k3']
/** Values are mostly absent, so that many generated requests are within the grant. */
const optional = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const some = (names: readonly string[]) => fc.subarray([...names], { minLength: 1 })
const day = optional(fc.constantFrom(...TIMES))
const bounds = { since: day, until: day }

const streamGrant = (name: string) =>
  fc
    .record({
      connections: some(['a', 'b']),
      fields: fc.subarray(['title', 'body']),
      resources: optional(some(KEYS)),
      ...bounds,
    })
    .map(({ connections, fields, resources, since, until }) => ({
      name,
      instance_ids: connections,
      fields: ['id', 'at', ...fields],
      ...(resources ? { resources } : {}),
      ...(since || until
        ? { time_constraint: { field: 'at', ...(since ? { since } : {}), ...(until ? { until } : {}) } }
        : {}),
    }))
const grant: fc.Arbitrary<Grant> = fc.tuple(streamGrant('s1'), streamGrant('s2')).map((streams) => ({
  version: '0.1.0',
  grant_id: 'grt_1',
  issued_at: '2026-01-01T00:00:00Z',
  subject: { id: 'owner' },
  client: { client_id: 'cli' },
  source: { kind: 'connector', id: 'https://tests.example/journal', connector_key: 'journal' },
  source_declaration: { version: '1' },
  purpose_code: 'https://pdpp.dev/purpose/agent_context',
  access_mode: 'continuous',
  streams,
  expires_at: '2099-06-01T00:00:00.000Z',
}))
const narrowing: fc.Arbitrary<GrantNarrowing> = fc.record({
  connections: optional(some(['a', 'b', 'c'])),
  streams: optional(fc.subarray(['s1', 's2', 's3'], { minLength: 1 }).map((names) => names.map((name) => ({ name })))),
  fields: optional(some(['title', 'body', 'id'])),
  resources: optional(some(KEYS)),
  expiresAt: optional(fc.constantFrom('2099-01-01', '2099-12-01')),
  ...bounds,
})
const places = ['a', 'b', 'c'].flatMap((connectionId) =>
  KEYS.flatMap((key) => [undefined, ...TIMES, '2026-02-15'].map((at) => ({ connectionId, key, time: at }))),
)

test('a narrowed grant shows exactly what was kept of the grant', () => {
  let accepted = 0
  fc.assert(
    fc.property(grant, narrowing, (given, by) => {
      let narrowed: Pick<Grant, 'streams' | 'expires_at'>
      try {
        narrowed = narrowGrant(given, declared, by)
      } catch (error) {
        expect((error as PdppError).code).toBe('invalid_argument')
        return
      }
      accepted++
      expect(Date.parse(narrowed.expires_at!)).toBeLessThanOrEqual(Date.parse(given.expires_at!))
      expect(narrowed.streams.map(({ name }) => name)).toEqual(by.streams?.map(({ name }) => name) ?? ['s1', 's2'])
      for (const stream of narrowed.streams) {
        const before = given.streams.find(({ name }) => name === stream.name)!
        const wanted = before.fields.filter((name) => !by.fields || ['id', 'at', ...by.fields].includes(name))
        expect(stream.fields).toEqual(wanted)
        for (const place of places) {
          const asked =
            (by.connections?.includes(place.connectionId) ?? true) &&
            (by.resources?.includes(place.key) ?? true) &&
            (by.since === undefined || (place.time !== undefined && place.time >= by.since)) &&
            (by.until === undefined || (place.time !== undefined && place.time < by.until))
          expect(permitsRecord(stream, place)).toBe(permitsRecord(before, place) && asked)
        }
      }
    }),
    { numRuns: 600 },
  )
  expect(accepted).toBeGreaterThan(60)
})

test('the same time in another notation does not count as wider', () => {
  const [given] = fc.sample(grant, 1)
  const limited = {
    ...given!,
    streams: [
      {
        name: 's1',
        instance_ids: ['a'],
        fields: ['id', 'at', 'title'],
        time_constraint: { field: 'at', since: '2026-01-01' },
      },
    ],
  }
  const same = narrowGrant(limited, declared, { since: '2026-01-01T01:00:00+01:00', fields: ['id'] })
  expect(same.streams[0]).toMatchObject({ fields: ['id', 'at'], time_constraint: { since: '2026-01-01' } })
  expect(() => narrowGrant(limited, declared, { since: '2025-12-31' })).toThrow(PdppError)
  expect(() => narrowGrant(limited, declared, { since: 'yesterday' })).toThrow(PdppError)
  expect(() => narrowGrant(limited, declared, { resources: [''] })).toThrow(PdppError)
})

verifies('point 17', 'a stream that cannot be divided can be narrowed by time only', () => {
  const [given] = fc.sample(grant, 1)
  const fields = ['id', 'at', 'title', 'body']
  const granted = { ...given!, streams: [{ name: 's1', instance_ids: ['a'], fields }] }
  const whole = structuredClone(declared)
  Object.assign(whole.streams[0]!, { selection: { fields: false, resources: false } })
  expect(narrowGrant(granted, whole, { since: '2026-02-01' }).streams[0]).toMatchObject({ fields })
  expect(() => narrowGrant(granted, whole, { fields: ['title'] })).toThrow(/only with all its fields/)
  expect(() => narrowGrant(granted, whole, { resources: ['k1'] })).toThrow(/single records of "s1"/)
})
