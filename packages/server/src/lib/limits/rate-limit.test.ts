import { expect, onTestFinished, test, vi } from 'vitest'
import { addressKey, RateLimit } from './rate-limit.ts'

test('counts by name within a window and returns the seconds to wait', () => {
  const limit = new RateLimit({ count: 2, windowMs: 10_000 })
  expect([limit.take('a', 0), limit.take('a', 1), limit.take('a', 2000), limit.take('b', 2000)]).toEqual([
    undefined,
    undefined,
    8,
    undefined,
  ])
  expect(limit.take('a', 10_000)).toBeUndefined()
})

test('refuses every name at the limit for all of them', () => {
  const limit = new RateLimit({ count: 5, countForAll: 3, windowMs: 10_000 })
  for (const name of ['a', 'b', 'c']) expect(limit.take(name, 0)).toBeUndefined()
  expect(limit.take('d', 1000)).toBe(9)
  expect(limit.take('d', 10_000)).toBeUndefined()
})

test('gives the uses of a forgiven name back', () => {
  const limit = new RateLimit({ count: 1, countForAll: 2, windowMs: 10_000 })
  for (const name of ['a', 'b']) limit.take(name, 0)
  limit.forgive('a')
  expect([limit.take('a', 100), limit.take('c', 100)]).toEqual([undefined, 10])
})

test('remembers a bounded number of names and drops the oldest first', () => {
  const limit = new RateLimit({ count: 1, windowMs: 10_000, names: 2 })
  limit.take('a', 0)
  limit.take('b', 1)
  limit.take('c', 2)
  expect(limit.take('a', 3)).toBeUndefined()
  expect(limit.take('c', 4)).toBe(10)
})

test('makes nobody wait longer when the clock is set back a day', () => {
  onTestFinished(() => void vi.useRealTimers())
  const limit = new RateLimit({ count: 1, windowMs: 10_000 })
  limit.take('a')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 })
  expect(limit.take('a')).toBeLessThanOrEqual(10)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:DB8:0:1::9', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the address %s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
