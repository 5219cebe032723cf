import { expect, it } from 'vitest'
import { Networks, parseNetwork, plainAddress } from './networks.ts'

it.each([
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['11.0.0.1', false],
  ['192.0.2.7', true],
  ['192.0.2.8', false],
  ['2001:db8::1', true],
  ['2001:db9::1', false],
  ['::1', false],
  ['', false],
  ['10.1.2.3, 10.0.0.1', false],
  ['localhost', false],
])('%s is in 10.0.0.0/8, 192.0.2.7 or 2001:db8::/32: %s', (address, expected) => {
  expect(new Networks(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']).has(address)).toBe(expected)
})

it.each(['', 'host', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0', '::/129', '10.0.0.0/'])(
  'does not parse %j as a network',
  (text) => {
    expect(parseNetwork(text)).toBeUndefined()
  },
)

it('recognises every notation of an address', () => {
  expect([plainAddress('::ffff:127.0.0.1'), plainAddress('[::1]'), plainAddress('fe80::1%eth0')]).toEqual([
    '127.0.0.1',
    '::1',
    'fe80::1',
  ])
})
