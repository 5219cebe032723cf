import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import { Allowances, DEFAULT_LIMITS } from './allowance.ts'

const NONE = { requests: null, rows: null, bytes: null }

verifies.group('checklist 19', 'the allowance per minute', () => {
  test('may be used at once and then refills evenly', () => {
    const allowances = new Allowances({ ...NONE, requests: 60 })
    for (let n = 0; n < 60; n++) expect(allowances.take('g', 0)).toBeUndefined()
    expect(allowances.take('g', 0)).toEqual({ what: 'requests', limit: 60, seconds: 1, isReported: true })
    expect(allowances.take('g', 1000)).toBeUndefined()
    expect(allowances.take('g', 1000)).toMatchObject({ seconds: 1 })
    expect(allowances.take('other', 1000)).toBeUndefined()
  })

  test('makes the next request wait for what was answered, up to a minute', () => {
    const allowances = new Allowances({ requests: null, rows: 100, bytes: 1000 })
    allowances.charge('g', 100, 1000, 0)
    expect(allowances.take('g', 0)).toBeUndefined()
    allowances.charge('g', 50, 0, 0)
    expect(allowances.take('g', 0)).toMatchObject({ what: 'rows', limit: 100, seconds: 30 })
    allowances.charge('g', 0, 1_000_000, 0)
    expect(allowances.take('g', 0)).toMatchObject({ what: 'bytes', limit: 1000, seconds: 60 })
    expect(allowances.take('g', 60_000)).toBeUndefined()
  })

  test('accepts the request after the announced wait, whatever was read before', () => {
    const step = fc.record({ rows: fc.nat(500), bytes: fc.nat(5000), pause: fc.nat(3000) })
    const limit = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 1000 }))
    const limits = fc.record({ requests: limit, rows: limit, bytes: limit })
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 60 }), (someLimits, steps) => {
        const allowances = new Allowances(someLimits)
        let now = 0
        for (const { rows, bytes, pause } of steps) {
          const exhausted = allowances.take('g', now)
          if (exhausted) {
            expect(exhausted.seconds).toBeGreaterThanOrEqual(1)
            expect(exhausted.seconds).toBeLessThanOrEqual(60)
            now += exhausted.seconds * 1000
            expect(allowances.take('g', now)).toBeUndefined()
          }
          allowances.charge('g', rows, bytes, now)
          now += pause
        }
      }),
    )
  })

  test('reports at most one refusal per second', () => {
    const allowances = new Allowances({ ...NONE, requests: 1 })
    allowances.take('g', 0)
    const reported = Array.from({ length: 30 }, (_, n) => allowances.take('g', n * 100)?.isReported)
    expect(reported.filter(Boolean)).toHaveLength(3)
  })

  test('refuses nothing without limits, and does not charge that use later', () => {
    const allowances = new Allowances(NONE)
    for (let n = 0; n < 10_000; n++) allowances.take('g', 0)
    allowances.charge('g', 1e9, 1e12, 0)
    allowances.limits = DEFAULT_LIMITS
    expect(allowances.take('g', 60_000)).toBeUndefined()
  })

  test('remembers only the most recent grants, up to the given number', () => {
    const allowances = new Allowances({ ...NONE, requests: 1 }, 2)
    for (const accessId of ['a', 'b', 'c']) allowances.take(accessId, 0)
    expect(allowances.take('c', 0)).toBeDefined()
    expect(allowances.take('a', 0)).toBeUndefined()
  })
})
