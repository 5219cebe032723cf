import { expect, test } from 'vitest'
import { MAX_THINGS, WishCounter } from './wish-counter.ts'

test('counts each thing of an agent, and folds those beyond the limit', () => {
  const counter = new WishCounter()
  for (let n = 0; n < 10_000; n++) counter.add('cli_a', 'grt_1', { kind: 'stream', stream: `s${n}` }, n)
  for (let n = 0; n < 3; n++) counter.add('cli_a', 'grt_2', { kind: 'stream', stream: 's7' }, 20_000 + n)
  const counts = counter.take().get('cli_a')!
  expect(counts).toHaveLength(MAX_THINGS + 1)
  expect(counts.find(({ thing }) => thing === '')).toMatchObject({ times: 10_000 - MAX_THINGS, lacks: undefined })
  expect(counts.find(({ lacks }) => lacks?.stream === 's7')).toMatchObject({
    ...{ times: 4, firstAt: 7, lastAt: 20_002, accessId: 'grt_2' },
  })
  expect(counter.isEmpty).toBe(true)
})

test('asking for other days of the same part is the same wish', () => {
  const counter = new WishCounter()
  const time = { kind: 'time', connectorKey: 'mail', stream: 'messages' } as const
  for (const since of ['2025-01-01', '2024-01-01']) counter.add('cli_a', 'grt_1', { ...time, since }, 1)
  expect(counter.take().get('cli_a')).toEqual([
    expect.objectContaining({ times: 2, lacks: { ...time, since: '2024-01-01' } }),
  ])
})
