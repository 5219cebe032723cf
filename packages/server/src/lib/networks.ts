import { BlockList, isIP } from 'node:net'

/** Parses an address, or a network in the form address/bits. */
export function parseNetwork(text: string): { address: string; family: 'ipv4' | 'ipv6'; bits: number } | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return
  const maxBits = version === 4 ? 32 : 128
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > maxBits)) return
  return { address, family: version === 4 ? 'ipv4' : 'ipv6', bits: bits === undefined ? maxBits : Number(bits) }
}

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

/** Removes brackets and zone, and turns an IPv4-mapped address (`::ffff:10.0.0.1`) into IPv4. */
export function plainAddress(address: string): string {
  const text = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(text) ? text.slice(7) : text
}
