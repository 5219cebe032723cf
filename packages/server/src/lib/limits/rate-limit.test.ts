import { expect, onTestFinished, test, vi } from 'vitest'
import { RateLimit } from './rate-limit.ts'

test('counts by name within a window and says how long to wait', () => {
  const limit = new RateLimit({ count: 2, windowMs: 10_000 })
  expect([limit.take('a', 0), limit.take('a', 1), limit.take('a', 2000), limit.take('b', 2000)]).toEqual([
    undefined,
    undefined,
    8,
    undefined,
  ])
  expect(limit.take('a', 10_000)).toBeUndefined()
})

test('remembers a bounded number of names, the oldest forgotten first', () => {
  const limit = new RateLimit({ count: 1, windowMs: 10_000, names: 2 })
  limit.take('a', 0)
  limit.take('b', 1)
  limit.take('c', 2)
  expect(limit.take('a', 3)).toBeUndefined()
  expect(limit.take('c', 4)).toBe(10)
})

test('a clock that is set back a day makes nobody wait longer', () => {
  onTestFinished(() => void vi.useRealTimers())
  const limit = new RateLimit({ count: 1, windowMs: 10_000 })
  limit.take('a')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 })
  expect(limit.take('a')).toBeLessThanOrEqual(10)
})
