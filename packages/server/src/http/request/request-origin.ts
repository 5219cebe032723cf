import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { PdppError } from '@pdpp/protocol'

import { isLoopback, type ServerConfig } from '../../config/config.ts'
import { Networks, plainAddress } from '../../lib/networks.ts'
import type { Transport } from '../environment.ts'

/** Where a request came in, as the one who sent it sees us. */
export interface RequestOrigin {
  /** Scheme and host of this server, for this request: what clients are told and links begin with. */
  readonly origin: string
  /** Who sent it: the socket's peer, or what a trusted proxy says. */
  readonly address: string
}

/**
 * The one place that knows our origin. PDPP_PUBLIC_URL decides; without it the forwarded headers, believed only from
 * PDPP_TRUSTED_PROXIES (003.9.3); without them the Host that was used, which has to be one of ours.
 */
export function requestOrigins(config: ServerConfig, listening: () => string): (c: Transport) => RequestOrigin {
  const proxies = new Networks(config.trustedProxies)
  const isOurs = ownHosts(config)
  return (c) => {
    if (c.env?.pdppRequestOrigin) return c.env.pdppRequestOrigin
    const peer = plainAddress(incoming(c)?.socket?.remoteAddress ?? '127.0.0.1')
    const trusted = config.trustedProxies.length > 0 && proxies.has(peer)
    const forwardedHost = trusted ? lastOf(c.req.header('x-forwarded-host')) : undefined
    const host = (forwardedHost ?? c.req.header('host') ?? '').toLowerCase()
    if (!isOurs(host)) throw new PdppError('misdirected_request', 'This server does not answer for that host.')
    const address = trusted ? forwardedFor(c.req.header('x-forwarded-for'), proxies, peer) : peer
    if (config.publicUrl !== undefined) return { origin: config.publicUrl, address }
    const scheme = trusted && lastOf(c.req.header('x-forwarded-proto')) === 'https' ? 'https' : 'http'
    // An address in this process (no socket, no port) is the one we listen on, or would.
    return { origin: incoming(c) || forwardedHost !== undefined ? `${scheme}://${host}` : listening(), address }
  }
}

/**
 * Before anything else on every route: a host that is not ours is 421, and a page of another origin is 403, "null"
 * included (point 19). `open` says what pages elsewhere may call (cross-origin.ts).
 */
export function guardHostAndOrigin(
  arrivalOf: (c: Transport) => RequestOrigin,
  open: (c: Transport, origin: string) => boolean,
): (c: Transport) => void {
  return (c) => {
    const requestOrigin = arrivalOf(c)
    c.set('requestOrigin', requestOrigin)
    if (requestOrigin.origin.startsWith('https:')) c.header('Strict-Transport-Security', 'max-age=31536000')
    const origin = c.req.header('origin')
    if (origin !== undefined && !isOwnOrigin(c, origin) && !open(c, origin))
      throw new PdppError('origin_not_allowed', 'Pages of another origin may not call this address.')
  }
}

/** Beside the public origin also this machine's own address, where the owner may have typed it. */
export function isOwnOrigin(c: Transport, origin: string): boolean {
  if (origin === c.get('requestOrigin').origin) return true
  const host = (c.req.header('host') ?? '').toLowerCase()
  return isLoopback(nameOf(host)) && origin === `http://${host}`
}

/** Loopback names, the address we listen on, the public origin's host, and PDPP_TRUSTED_HOSTS: a name, name:port, or *.suffix. */
function ownHosts({ host: listening, publicUrl, trustedHosts }: ServerConfig): (host: string) => boolean {
  const entries = trustedHosts.map((entry) => entry.toLowerCase())
  const own = new Set(entries.filter((entry) => !entry.startsWith('*.')))
  const suffixes = entries.filter((entry) => entry.startsWith('*.')).map((entry) => entry.slice(1))
  own.add(listening.includes(':') ? `[${listening}]` : listening.toLowerCase())
  if (publicUrl !== undefined) own.add(new URL(publicUrl).host)
  return (host) => {
    if (!/^[a-z0-9._-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/.test(host)) return false
    const name = nameOf(host)
    return isLoopback(name) || own.has(host) || own.has(name) || suffixes.some((suffix) => name.endsWith(suffix))
  }
}

const nameOf = (host: string): string => host.replace(/:\d+$/, '')

/** What the proxy next to us added: earlier entries of a list are whatever the client sent. */
function lastOf(header: string | undefined): string | undefined {
  return header?.split(',').at(-1)?.trim().toLowerCase() || undefined
}

/** The last address of the chain that is not itself a trusted proxy. */
function forwardedFor(header: string | undefined, proxies: Networks, peer: string): string {
  const chain = (header ?? '').split(',').map((entry) => plainAddress(entry.trim()))
  const client = chain.findLast((address) => !proxies.has(address))
  return client !== undefined && isIP(client) ? client : peer
}

/** The request of Node's server; there is none when the app is called in process. */
function incoming(c: Transport): IncomingMessage | undefined {
  return (c.env as { incoming?: IncomingMessage } | undefined)?.incoming
}
