import { expect, it, onTestFinished, vi } from 'vitest'
import { AttemptLimiter, addressKey } from './attempt-limiter.ts'

it('stops a key at its limit until the window ends', () => {
  const limiter = new AttemptLimiter({ perKey: 2, together: 100, windowMs: 1000 })
  expect([limiter.attempt('a', 0), limiter.attempt('a', 10), limiter.attempt('a', 20)]).toEqual([
    undefined,
    undefined,
    980,
  ])
  expect(limiter.attempt('b', 20)).toBeUndefined()
  expect(limiter.attempt('a', 1000)).toBeUndefined()
})

it('stops everybody at the limit for all, and a success gives its attempts back', () => {
  const limiter = new AttemptLimiter({ perKey: 5, together: 3, windowMs: 1000 })
  for (const key of ['a', 'b', 'c']) expect(limiter.attempt(key, 0)).toBeUndefined()
  expect(limiter.attempt('d', 100)).toBe(900)
  limiter.forgive('a')
  expect(limiter.attempt('d', 100)).toBeUndefined()
})

it('remembers a bounded number of keys', () => {
  const limiter = new AttemptLimiter({ perKey: 1, together: 1e9, windowMs: 1000, keys: 3 })
  for (const key of ['a', 'b', 'c', 'd']) limiter.attempt(key, 0)
  expect(limiter.attempt('d', 1)).toBe(999)
  expect(limiter.attempt('a', 1)).toBeUndefined()
})

it('counts an IPv6 network of a household as one', () => {
  expect(addressKey('192.0.2.7')).toBe('192.0.2.7')
  expect(addressKey('2001:db8:0:1:2:3:4:5')).toBe('2001:db8:0:1::/64')
  expect(addressKey('2001:DB8:0:1::9')).toBe('2001:db8:0:1::/64')
  expect(addressKey('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(addressKey('::1')).toBe('0:0:0:0::/64')
})

it('makes nobody wait longer when the clock is set back a day', () => {
  onTestFinished(() => void vi.useRealTimers())
  const limiter = new AttemptLimiter({ perKey: 1, together: 100, windowMs: 10_000 })
  limiter.attempt('a')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 })
  expect(limiter.attempt('a')).toBeLessThanOrEqual(10_000)
})
