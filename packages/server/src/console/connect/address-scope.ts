import { isIP } from 'node:net'
import { isLoopback } from '../../config/config.ts'
import { isGlobalUnicast } from '../../lib/global-unicast.ts'

/** The reach of an address: this computer, this network, or anywhere. Only the address itself is examined. */
export type AddressScope = 'computer' | 'network' | 'anywhere'

export function addressScope(origin: string): AddressScope {
  const { hostname, protocol } = new URL(origin)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isLoopback(host)) return 'computer'
  const isPrivate = isIP(host)
    ? !isGlobalUnicast(host)
    : !host.includes('.') || /\.(local|lan|home|internal|home\.arpa)$/.test(host)
  return isPrivate || protocol !== 'https:' ? 'network' : 'anywhere'
}
