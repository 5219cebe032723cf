import { describe, expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const job = (client: string, n: number) => ({ client, n })
const all = (queue: FairQueue<ReturnType<typeof job>>) => {
  const taken: string[] = []
  for (let next = queue.take(); next; next = queue.take()) taken.push(`${next.client}${next.n}`)
  return taken
}

describe('a fair queue', () => {
  test('keeps the order of one client', () => {
    const queue = new FairQueue<ReturnType<typeof job>>({ total: 10, perClient: 10 })
    for (let n = 1; n <= 4; n++) queue.push(job('a', n))
    expect(all(queue)).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  test('serves clients in turn, however many jobs one of them has', () => {
    const queue = new FairQueue<ReturnType<typeof job>>({ total: 20, perClient: 10 })
    for (let n = 1; n <= 5; n++) queue.push(job('flood', n))
    queue.push(job('b', 1))
    queue.push(job('c', 1))
    queue.push(job('b', 2))
    expect(all(queue)).toEqual(['flood1', 'b1', 'c1', 'flood2', 'b2', 'flood3', 'flood4', 'flood5'])
  })

  test('gives a client that comes back no second turn before the others', () => {
    const queue = new FairQueue<ReturnType<typeof job>>({ total: 20, perClient: 10 })
    queue.push(job('a', 1))
    queue.push(job('b', 1))
    expect(queue.take()).toEqual(job('a', 1))
    queue.push(job('a', 2))
    expect(all(queue)).toEqual(['b1', 'a2'])
  })

  test('is full for one client before it is full for all', () => {
    const queue = new FairQueue<ReturnType<typeof job>>({ total: 5, perClient: 3 })
    expect([1, 2, 3, 4].map((n) => queue.push(job('flood', n)))).toEqual([true, true, true, false])
    expect([1, 2, 3].map((n) => queue.push(job(`other${n}`, n)))).toEqual([true, true, false])
    expect(queue.size).toBe(5)
    queue.take()
    expect(queue.push(job('flood', 5))).toBe(true)
  })

  test('holds a place for a client that was refused', () => {
    const queue = new FairQueue<ReturnType<typeof job>>({ total: 4, perClient: 2 })
    for (const client of ['a', 'b', 'c', 'd']) queue.push(job(client, 1))
    expect(queue.push(job('late', 1))).toBe(false)
    queue.claim('late', performance.now() + 60_000)
    expect(queue.take()).toEqual(job('a', 1))
    expect(queue.push(job('a', 2))).toBe(false)
    expect(queue.push(job('late', 1))).toBe(true)
    queue.take()
    expect(queue.push(job('a', 2))).toBe(true)
  })

  test('holds no place after a claim has ended, nor for a client with jobs', () => {
    const queue = new FairQueue<ReturnType<typeof job>>({ total: 4, perClient: 2 })
    for (const client of ['a', 'b', 'c', 'd']) queue.push(job(client, 1))
    queue.claim('late', performance.now() - 1)
    queue.claim('b', performance.now() + 60_000)
    queue.take()
    expect(queue.push(job('a', 2))).toBe(true)
  })

  test('forgets jobs that are no longer wanted, wherever they wait', () => {
    const queue = new FairQueue<ReturnType<typeof job>>({ total: 5, perClient: 3 })
    const jobs = [job('a', 1), job('a', 2), job('b', 1)]
    for (const one of jobs) queue.push(one)
    expect(queue.remove(jobs[0]!)).toBe(true)
    expect(queue.remove(jobs[0]!)).toBe(false)
    expect(queue.remove(jobs[2]!)).toBe(true)
    expect([queue.size, all(queue)]).toEqual([1, ['a2']])
    expect(queue.size).toBe(0)
    queue.push(jobs[1]!)
    expect(queue.clear()).toEqual([jobs[1]])
    expect([queue.size, queue.take()]).toEqual([0, undefined])
  })
})
