import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { isGlobalUnicast } from './global-unicast.ts'

const global = ['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.15.0.1', '172.32.0.1', '198.20.0.1', '223.255.255.255']
const global6 = ['2606:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1', '2400::1']
const others = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'localhost',
  '2130706433',
  '0x7f000001',
  '127.1',
  '',
]

verifies.group('checklist 7', 'only public internet addresses are fetched from', () => {
  test.each([...global, ...global6])('%s is allowed', (address) => {
    expect(isGlobalUnicast(address)).toBe(true)
  })
  test.each(others)('%s is refused', (address) => {
    expect(isGlobalUnicast(address)).toBe(false)
  })
})
