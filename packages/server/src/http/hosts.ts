import { PdppError } from '@pdpp/protocol'
import type { MiddlewareHandler } from 'hono'
import { isLoopback, type ServerConfig } from '../config/config.ts'
import type { HttpEnvironment } from './environment.ts'

/** Only addresses that are ours: a page elsewhere that points its name at this machine gets nothing. */
export function guardHosts(config: ServerConfig): MiddlewareHandler<HttpEnvironment> {
  const own = new Set(config.trustedHosts.map((entry) => entry.toLowerCase()))
  if (config.publicUrl !== undefined) own.add(new URL(config.publicUrl).host)
  return async (c, next) => {
    const host = (c.req.header('host') ?? '').toLowerCase()
    const name = host.replace(/:\d+$/, '')
    if (isLoopback(name) || own.has(host) || own.has(name)) return next()
    throw new PdppError('misdirected_request', 'This server does not answer for that host.')
  }
}
