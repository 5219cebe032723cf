import { expect, test } from 'vitest'
import { OpenStreams } from './open-streams.ts'

test('one holder cannot take the places of others', () => {
  const streams = new OpenStreams()
  const places = Array.from({ length: 6 }, () => streams.take('grt_1'))
  expect(places.filter((place) => place !== undefined)).toHaveLength(4)
  expect(streams.take('grt_2')).toBeDefined()
  places[0]!.release()
  expect(streams.take('grt_1')).toBeDefined()
})

test('closing ends all and waits until each has let go', async () => {
  const streams = new OpenStreams()
  const places = [streams.take('grt_1')!, streams.take('grt_2')!]
  let isClosed = false
  const closed = streams.close().then(() => (isClosed = true))
  expect(places.map(({ signal }) => signal.aborted)).toEqual([true, true])
  places[0]!.release()
  await Promise.resolve()
  expect([isClosed, streams.take('grt_3')]).toEqual([false, undefined])
  places[1]!.release()
  await closed
  expect(streams.size).toBe(0)
})
