import { setTimeout as pause } from 'node:timers/promises'
import { PdppError } from '@pdpp/protocol/reading'
import { expect, test } from 'vitest'
import { abortSourceOf, RequestSignal } from '../request-signal.ts'
import { FairLane } from './fair-lane.ts'

const lane = (running: number, queue = { total: 64, perClient: 16 }, timeoutMs = 30_000) =>
  new FairLane('reads', 10, { running, queue, timeoutMs })

const signalOf = (client: string, abort = new AbortController(), limitMs = 30_000) =>
  new RequestSignal(abortSourceOf(abort.signal), limitMs, client)

test('of 256 callers a few run, some wait, and the others are refused', async () => {
  const [reads, order] = [lane(3), [] as string[]]
  let [running, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    await pause(1)
    running--
  }
  const callers = Array.from({ length: 256 }, (_, n) => {
    const client = `c${n % 4}`
    return reads.run(work, signalOf(client)).then(
      () => order.push(client),
      (error: PdppError) => error,
    )
  })
  const refused = (await Promise.all(callers)).filter((outcome) => outcome instanceof PdppError)
  expect(most).toBe(3)
  expect(order).toHaveLength(67)
  expect(refused).toHaveLength(189)
  for (const error of refused) expect(error).toMatchObject({ code: 'server_busy', detail: { retryAfterSeconds: 1 } })
  // Every client gets the same share.
  for (const client of ['c0', 'c1', 'c2', 'c3'])
    expect(order.filter((one) => one === client).length).toBeGreaterThanOrEqual(16)
  expect({ running: reads.running, waiting: reads.waiting }).toEqual({ running: 0, waiting: 0 })
})

test('refused clients that return come before those just served', async () => {
  const reads = lane(1, { total: 8, perClient: 2 })
  const served = new Map<string, number>()
  const work = () => pause(1)
  const isOver = () => [...served.values()].reduce((sum, count) => sum + count, 0) > 400
  // Everybody asks again at once, and those who were refused a little later.
  const visits = Array.from({ length: 14 }, async (_, n) => {
    while (!isOver())
      await reads.run(work, signalOf(`c${n}`)).then(
        () => served.set(`c${n}`, (served.get(`c${n}`) ?? 0) + 1),
        () => pause(20),
      )
  })
  await Promise.all(visits)
  expect(served.size).toBe(14)
  expect(Math.min(...served.values())).toBeGreaterThan(5)
})

test('work of a disconnected client does not start, or is told to stop', async () => {
  const reads = lane(1)
  const [first, second] = [new AbortController(), new AbortController()]
  let [begun, stopped] = [0, 0]
  const work = (end: Promise<void>) => (onStop: (listener: () => void) => void) => {
    begun++
    onStop(() => stopped++)
    return end
  }
  let finish = () => {}
  const end = new Promise<void>((resolve) => {
    finish = resolve
  })
  const running = reads.run(work(end), signalOf('a', first)).catch((error) => error.message)
  const waiting = reads.run(work(end), signalOf('a', second)).catch((error) => error.message)
  second.abort()
  first.abort()
  expect(await Promise.all([running, waiting])).toEqual(Array(2).fill('The client disconnected.'))
  expect({ begun, stopped, givenUp: reads.givenUp }).toEqual({ begun: 1, stopped: 1, givenUp: 2 })
  // The job keeps its place until it has ended.
  expect(reads.running).toBe(1)
  const next = reads.run(async () => 'next')
  finish()
  expect(await next).toBe('next')
  expect(reads.running).toBe(0)
})

test('a job that never began was not too large: the server was busy', async () => {
  const reads = lane(1, { total: 2, perClient: 2 }, 20)
  const never = () => new Promise<void>(() => {})
  const codes = await Promise.all([reads.run(never), reads.run(never)].map((one) => one.catch(({ code }) => code)))
  expect(codes).toEqual(['request_timeout', 'server_busy'])
})
