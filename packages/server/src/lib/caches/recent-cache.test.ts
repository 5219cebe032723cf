import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecentCache } from './recent-cache.ts'

test('an entry that is used again stays', () => {
  const cache = new RecentCache<string, number>(4)
  cache.set('a', 1)
  for (let at = 0; at < 100; at++) {
    cache.set(`other ${at}`, at)
    expect(cache.get('a')).toBe(1)
  }
})

test('an entry that is not used is dropped', () => {
  const cache = new RecentCache<string, number>(4)
  cache.set('a', 1)
  for (let at = 0; at < 4; at++) cache.set(`other ${at}`, at)
  expect(cache.get('a')).toBeUndefined()
})

test('clearing forgets both generations', () => {
  const cache = new RecentCache<string, number>(2)
  for (const name of ['a', 'b']) cache.set(name, 1)
  cache.clear()
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined])
})

test('it never returns an old value, nor more entries than fit', () => {
  const capacity = 6
  const operation = fc.record({ key: fc.nat(12), isSet: fc.boolean() })
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
      const cache = new RecentCache<number, number>(capacity)
      const last = new Map<number, number>()
      for (const [at, { key, isSet }] of operations.entries()) {
        if (isSet) last.set(key, cache.set(key, at))
        else expect([undefined, last.get(key)]).toContain(cache.get(key))
      }
      expect(cache.size).toBeLessThanOrEqual(capacity)
    }),
  )
})
