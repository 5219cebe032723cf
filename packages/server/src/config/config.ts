import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { StartupError } from '../lib/startup-error.ts'
import { readEnvironment, type ServerEnvironment } from './env.ts'

export interface ServerConfig {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** The origin that clients are told; derived from the address when it is not set. */
  readonly publicUrl: string | undefined
  /** Hosts that are ours beside loopback and the public origin's. */
  readonly trustedHosts: readonly string[]
}

export interface ConfigOverrides {
  readonly port?: string | undefined
  readonly host?: string | undefined
  readonly dataDir?: string | undefined
}

const DEFAULT_PORT = 7662

export function readConfig(overrides: ConfigOverrides = {}, env: ServerEnvironment = readEnvironment()): ServerConfig {
  const host = overrides.host ?? env.host ?? '127.0.0.1'
  if (!isLoopback(host)) {
    throw new StartupError(
      `Refusing to listen on ${host}: this version serves this machine only. Leave PDPP_HOST at 127.0.0.1.`,
    )
  }
  return {
    host,
    port: parsePort(overrides.port ?? env.port),
    dataDir: resolve(overrides.dataDir ?? env.dataDir ?? join(env.home ?? homedir(), '.pdpp', 'server')),
    publicUrl: parseOrigin(env.publicUrl),
    trustedHosts: (env.trustedHosts ?? '').split(/[\s,]+/).filter((entry) => entry !== ''),
  }
}

function parsePort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new StartupError(`"${text}" is not a port: give a number from 0 to 65535.`)
}

function parseOrigin(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username)
    return url.origin
  throw new StartupError(`PDPP_PUBLIC_URL must be an origin such as https://data.example.org, not "${text}".`)
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
