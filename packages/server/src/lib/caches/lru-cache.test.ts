import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LruCache } from './lru-cache.ts'

test('drops the least recently used entry first', () => {
  const cache = new LruCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3])
})

test('setting an existing key drops no other entry', () => {
  const cache = new LruCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.set('a', 9)).toBe(9)
  expect([cache.get('b'), cache.get('a')]).toEqual([2, 9])
})

test('clear removes all entries', () => {
  const cache = new LruCache<string, number>(2)
  cache.set('a', 1)
  cache.clear()
  expect(cache.get('a')).toBeUndefined()
})

test('behaves like a list in order of use', () => {
  const step = fc.record({ key: fc.nat({ max: 6 }), write: fc.boolean() })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (capacity, steps) => {
      const cache = new LruCache<number, number>(capacity)
      let used: [key: number, value: number][] = []
      for (const [index, { key, write }] of steps.entries()) {
        const known = used.find(([other]) => other === key)
        if (!write) expect(cache.get(key)).toBe(known?.[1])
        else cache.set(key, index)
        if (!write && !known) continue
        const value = write ? index : known![1]
        used = [...used.filter(([other]) => other !== key), [key, value] as [number, number]].slice(-capacity)
      }
    }),
  )
})
