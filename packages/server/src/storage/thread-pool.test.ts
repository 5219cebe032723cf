import { expect, onTestFinished, test } from 'vitest'
import { ERRAND_DONE, ThreadPool } from './thread-pool.ts'

/** Answers every task with the number of the thread. An errand ends when the test says so. */
const WORKER = `
  import { parentPort, threadId, workerData } from 'node:worker_threads'
  parentPort.on('message', ({ kind }) => {
    if (kind === 'errand') Atomics.wait(workerData.gate, 0, 0)
    parentPort.postMessage(kind === 'errand' ? '${ERRAND_DONE}' : { result: threadId })
  })
`

class TestPool extends ThreadPool<object, 'read'> {
  constructor(gate: Int32Array, threads: number) {
    super(new URL(`data:text/javascript,${encodeURIComponent(WORKER)}`), { gate }, { read: ['reads', 1] }, { threads })
  }
  run(): Promise<number> {
    return this.perform('read', { kind: 'task' })
  }
  doErrand(): Promise<void> {
    return this.errand({ kind: 'errand' })
  }
}

function openPool(threads: number) {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const pool = new TestPool(gate, threads)
  pool.keepThreads()
  const open = () => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  onTestFinished(async () => {
    open()
    await pool.close()
  })
  return { pool, open }
}

test('a task goes to a thread without an errand', async () => {
  const { pool, open } = openPool(2)
  const first = await pool.run()
  const errand = pool.doErrand()
  expect(await pool.run()).not.toBe(first)
  open()
  await errand
  expect(await pool.run()).toBe(first)
})

test('a task waits for an errand if there is no other thread', async () => {
  const { pool, open } = openPool(1)
  const first = await pool.run()
  const errand = pool.doErrand()
  const task = pool.run()
  open()
  await errand
  expect(await task).toBe(first)
})
