import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { PdppError } from '@pdpp/protocol'

import { isLoopback, type ServerConfig } from '../../config/config.ts'
import { Networks, plainAddress } from '../../lib/networks.ts'
import type { Transport } from '../environment.ts'

/** This server's origin as the client sees it, and the client's address. */
export interface RequestOrigin {
  /** Scheme and host of this server for this request. Links and metadata begin with it. */
  readonly origin: string
  /** The client's IP address: the socket's peer, or the address that a trusted proxy reports. */
  readonly address: string
}

/**
 * Determines this server's origin for a request. Only this function may. The order is: PDPP_PUBLIC_URL; the forwarded
 * headers, but only from PDPP_TRUSTED_PROXIES (003.9.3); the Host header. A host that is not ours is always refused.
 */
export function requestOrigins(config: ServerConfig, listening: () => string): (c: Transport) => RequestOrigin {
  const proxies = new Networks(config.trustedProxies)
  const isOurs = ownHosts(config)
  const decide = (c: Transport, remoteAddress: string | undefined): RequestOrigin => {
    const peer = plainAddress(remoteAddress ?? '127.0.0.1')
    const trusted = config.trustedProxies.length > 0 && proxies.has(peer)
    const forwardedHost = trusted ? lastOf(c.req.header('x-forwarded-host')) : undefined
    const host = (forwardedHost ?? c.req.header('host') ?? '').toLowerCase()
    if (!isOurs(host)) throw new PdppError('misdirected_request', 'This server does not answer for that host.')
    const address = trusted ? forwardedFor(c.req.header('x-forwarded-for'), proxies, peer) : peer
    if (config.publicUrl !== undefined) return { origin: config.publicUrl, address }
    const scheme = trusted && lastOf(c.req.header('x-forwarded-proto')) === 'https' ? 'https' : 'http'
    // An in-process call has no socket and no port in its host: use the address that the server listens on.
    return { origin: nodeRequest(c) || forwardedHost !== undefined ? `${scheme}://${host}` : listening(), address }
  }
  // A client sends many requests, and without proxies only its address and the host decide.
  let last: { readonly remote: string | undefined; readonly host: string | undefined; found: RequestOrigin } | undefined
  return (c) => {
    if (c.env?.pdppRequestOrigin) return c.env.pdppRequestOrigin
    const socket = nodeRequest(c)?.socket
    const remote = socket?.remoteAddress
    if (!socket || config.trustedProxies.length > 0) return decide(c, remote)
    const host = c.req.header('host')
    if (last?.host !== host || last?.remote !== remote || !last) last = { remote, host, found: decide(c, remote) }
    return last.found
  }
}

/**
 * Runs first on every route. Answers 421 for a host that is not ours and 403 for a page of another origin, including
 * "null" (point 19). `open` decides what pages of other origins may call (cross-origin.ts).
 */
export function guardHostAndOrigin(
  originOf: (c: Transport) => RequestOrigin,
  open: (c: Transport, origin: string) => boolean,
): (c: Transport) => void {
  return (c) => {
    const requestOrigin = originOf(c)
    c.set('requestOrigin', requestOrigin)
    if (requestOrigin.origin.startsWith('https:')) c.header('Strict-Transport-Security', 'max-age=31536000')
    const origin = c.req.header('origin')
    if (origin !== undefined && !isOwnOrigin(c, origin) && !open(c, origin))
      throw new PdppError('origin_not_allowed', 'Pages of another origin may not call this address.')
  }
}

/** True for the public origin, and for the loopback address that the owner may have typed on this machine. */
export function isOwnOrigin(c: Transport, origin: string): boolean {
  if (origin === c.get('requestOrigin').origin) return true
  const host = (c.req.header('host') ?? '').toLowerCase()
  return isLoopback(nameOf(host)) && origin === `http://${host}`
}

/**
 * Tells whether a host is ours: a loopback name, the address we listen on, the host of the public URL, or an entry of
 * PDPP_TRUSTED_HOSTS (a name, name:port, or *.suffix).
 */
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

/** The last entry of a list, which the nearest proxy added. The client may have invented the earlier ones. */
function lastOf(header: string | undefined): string | undefined {
  return header?.split(',').at(-1)?.trim().toLowerCase() || undefined
}

/** The last address of the chain that is not itself a trusted proxy. */
function forwardedFor(header: string | undefined, proxies: Networks, peer: string): string {
  const chain = (header ?? '').split(',').map((entry) => plainAddress(entry.trim()))
  const client = chain.findLast((address) => !proxies.has(address))
  return client !== undefined && isIP(client) ? client : peer
}

/** Node's own request object. Undefined for in-process calls. */
function nodeRequest(c: Transport): IncomingMessage | undefined {
  return (c.env as { incoming?: IncomingMessage } | undefined)?.incoming
}
