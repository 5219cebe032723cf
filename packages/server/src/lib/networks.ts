import { BlockList, isIP } from 'node:net'

/** An address, or a network as address/bits. */
export function parseNetwork(text: string): { address: string; family: 'ipv4' | 'ipv6'; bits: number } | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return
  const most = version === 4 ? 32 : 128
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most)) return
  return { address, family: version === 4 ? 'ipv4' : 'ipv6', bits: bits === undefined ? most : Number(bits) }
}

/** Tells whether an address lies in one of the networks. */
export class Networks {
  readonly #list = new BlockList()

  constructor(networks: readonly string[]) {
    for (const text of networks) {
      const network = parseNetwork(text)
      if (network) this.#list.addSubnet(network.address, network.bits, network.family)
    }
  }

  has(address: string): boolean {
    const plain = plainAddress(address)
    const version = isIP(plain)
    return version !== 0 && this.#list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}

/** An IPv4 address as a socket that speaks both shows it, `::ffff:10.0.0.1`, is that IPv4 address. */
export function plainAddress(address: string): string {
  const text = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(text) ? text.slice(7) : text
}
