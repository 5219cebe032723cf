import { BlockList, isIP } from 'node:net'

/** IANA's special-purpose registries (RFC 6890 and updates). None of these addresses is on the public internet. */
const special4 = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [address, prefix] = range.split('/') as [string, string]
  special4.addSubnet(address, Number(prefix), 'ipv4')
}

/** Only 2000::/3 is assigned as global unicast. The ranges that embed or tunnel other addresses are excluded. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const special6 = new BlockList()
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']) {
  const [address, prefix] = range.split('/') as [string, string]
  special6.addSubnet(address, Number(prefix), 'ipv6')
}

/** True if an address is on the public internet. For IPv6 this is an allow-list, so unknown ranges are refused. */
export function isGlobalUnicast(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special4.check(address, 'ipv4')
    case 6:
      return !address.includes('%') && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
    default:
      return false
  }
}
