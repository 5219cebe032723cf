import { BlockList, isIP } from 'node:net'
import { PdppError } from '@pdpp/protocol'
import { isGlobalUnicast } from '../lib/global-unicast.ts'
import { type AllowedHosts, isReachable } from '../lib/guarded-fetch.ts'
import { MAX_CALLBACK_BYTES } from './limits.ts'

const RESOLVE_MS = 5_000

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
/** Home networks. Link-local addresses are excluded, because cloud machines keep credentials there. */
const home = new BlockList()
for (const [address, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  home.addSubnet(address, prefix, 'ipv4')
home.addSubnet('fc00::', 7, 'ipv6')

/** Checks the address that events are sent to. Private addresses need the owner's permission. */
export function callbackHosts(allowsPrivate: boolean, reach: AllowedHosts): AllowedHosts {
  if (!allowsPrivate) return reach
  return { ...reach, isAllowed: (address) => reach.isAllowed(address) || isPrivate(address) }
}

function isPrivate(address: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return (
    !isGlobalUnicast(address) && isIP(address) !== 0 && (loopback.check(address, family) || home.check(address, family))
  )
}

/** True for this machine, the only place that events may be sent to without encryption. */
export function isLoopbackUrl(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || (isIP(host) !== 0 && loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'))
}

/**
 * Throws if events may not be sent to an address. The error is the same for every network problem, so that clients
 * cannot use it to explore a network. Every delivery checks the address again.
 */
export async function checkCallback(text: string, allowsPrivate: boolean, reach: AllowedHosts): Promise<void> {
  if (Buffer.byteLength(text) > MAX_CALLBACK_BYTES)
    throw refused(`callback_url may have at most ${MAX_CALLBACK_BYTES} bytes.`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlainLoopback = url?.protocol === 'http:' && allowsPrivate && isLoopbackUrl(url)
  if (!url || (url.protocol !== 'https:' && !isPlainLoopback)) throw refused('callback_url must begin with https://.')
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw refused('callback_url must have neither a user name nor a fragment.')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (await isReachable(host, RESOLVE_MS, callbackHosts(allowsPrivate, reach))) return
  throw refused('callback_url does not lead to an address on the public internet.')
}

function refused(message: string): PdppError {
  return new PdppError('callback_not_allowed', message, { param: 'callback_url' })
}
