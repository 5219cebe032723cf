import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UnfinishedWork } from './unfinished-work.ts'

/** A store with work for some turns. Each turn after the first waits until it is let go. */
function storeWith(turns: number) {
  let [left, waiting] = [turns, [] as (() => void)[]]
  const resume = async () => {
    if (left < turns) await new Promise<void>((done) => waiting.push(done))
    left--
    return left > 0
  }
  const letGo = async () => {
    for (const done of waiting) done()
    waiting = []
    await nextTurn()
  }
  return { resume, letGo, left: () => left }
}

test('a start waits for one turn, and the rest follows in the background', async () => {
  const store = storeWith(3)
  const work = new UnfinishedWork(store, expect.unreachable)
  await work.start()
  expect(store.left()).toBe(2)
  await store.letGo()
  await store.letGo()
  expect(store.left()).toBe(0)
  await work.stop()
})

test('a stop waits for the present turn and begins no other', async () => {
  const store = storeWith(4)
  const work = new UnfinishedWork(store, expect.unreachable)
  await work.start()
  let isStopped = false
  const stopped = work.stop().then(() => {
    isStopped = true
  })
  await nextTurn()
  expect(isStopped).toBe(false)
  await store.letGo()
  await stopped
  expect(store.left()).toBe(2)
})

test('a fault of the index does not end the start, a fault of the disk does', async () => {
  const failing = (error: Error) => ({ resume: () => Promise.reject(error) })
  const lines: string[] = []
  await new UnfinishedWork(failing(new TypeError('no such word')), (line) => lines.push(line)).start()
  expect(lines).toEqual([expect.stringContaining('completing it failed: no such word')])
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  await expect(new UnfinishedWork(failing(full), expect.unreachable).start()).rejects.toBe(full)
})

test('a fault in the background is logged', async () => {
  const lines: string[] = []
  let turn = 0
  const resume = async () => {
    if (turn++ > 0) throw new Error('no such word')
    return true
  }
  const work = new UnfinishedWork({ resume }, (line) => lines.push(line))
  await work.start()
  await nextTurn()
  expect(lines).toHaveLength(1)
})
