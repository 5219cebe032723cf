import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseNetwork } from '../lib/networks.ts'
import { StartupError } from '../lib/startup-error.ts'
import { readEnvironment, type ServerEnvironment } from './env.ts'

export interface ServerConfig {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** The PostgreSQL database that stores the data. Without it, the data directory stores it. */
  readonly databaseUrl?: string | undefined
  /** False if statements must not be prepared, because a connection pooler is in between. */
  readonly preparesStatements?: boolean | undefined
  /** The origin that clients see. Derived from the listening address if not set. */
  readonly publicUrl: string | undefined
  /** Host names that the server answers for, in addition to loopback and the public origin. */
  readonly trustedHosts: readonly string[]
  /** Addresses and networks whose forwarded headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** If set, this is the owner's password, and it cannot be changed in the console. */
  readonly ownerPassword: string | undefined
  /** Max. bytes of one blob. One gigabyte if undefined. */
  readonly maxBlobBytes?: number | undefined
  readonly log: LogLevel
}

type LogLevel = (typeof LOG_LEVELS)[number]
const LOG_LEVELS = ['none', 'errors', 'requests'] as const

export interface ConfigOverrides {
  readonly port?: string | undefined
  readonly host?: string | undefined
  readonly dataDir?: string | undefined
}

const DEFAULT_PORT = 7662

export function readConfig(overrides: ConfigOverrides = {}, env: ServerEnvironment = readEnvironment()): ServerConfig {
  return {
    host: overrides.host ?? (env.host || '127.0.0.1'),
    port: parsePort(overrides.port ?? env.port),
    dataDir: resolve(overrides.dataDir ?? env.dataDir ?? join(env.home ?? homedir(), '.pdpp', 'server')),
    databaseUrl: parseDatabaseUrl(env.databaseUrl),
    preparesStatements: parseSwitch('PDPP_DATABASE_PREPARE', env.databasePrepare),
    publicUrl: parseOrigin(env.publicUrl),
    trustedHosts: splitList(env.trustedHosts),
    trustedProxies: splitList(env.trustedProxies).map(checkNetwork),
    ownerPassword: env.ownerPassword || undefined,
    maxBlobBytes: parseBytes(env.maxBlobBytes),
    log: parseLogLevel(env.log),
  }
}

const splitList = (text = ''): string[] => text.split(/[\s,]+/).filter((entry) => entry !== '')

function parsePort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new StartupError(`"${text}" is not a port: give a number from 0 to 65535.`)
}

function parseDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return
  if (/^postgres(ql)?:\/\//.test(text)) return text
  // The value may contain a password, so it is not repeated.
  throw new StartupError('PDPP_DATABASE_URL must begin with postgresql://, as in postgresql://user@host/database.')
}

function parseSwitch(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined || text === '') return
  if (text === 'on' || text === 'off') return text === 'on'
  throw new StartupError(`${name} must be on or off, not "${text}".`)
}

function parseBytes(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text)
  throw new StartupError(`PDPP_BLOB_MAX_BYTES must be a number of bytes such as 1073741824, not "${text}".`)
}

function parseOrigin(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username) {
    if (url.protocol === 'https:' || isLoopback(url.hostname)) return url.origin
    throw new StartupError(
      `PDPP_PUBLIC_URL must begin with https:// (it is "${text}"): over http a password and a session can be read on the way.`,
    )
  }
  throw new StartupError(`PDPP_PUBLIC_URL must be an origin such as https://data.example.org, not "${text}".`)
}

function checkNetwork(entry: string): string {
  if (parseNetwork(entry)) return entry
  throw new StartupError(`PDPP_TRUSTED_PROXIES: "${entry}" is neither an address nor a network such as 10.0.0.0/8.`)
}

function parseLogLevel(text: string | undefined): LogLevel {
  const level = LOG_LEVELS.find((name) => name === (text || 'errors'))
  if (level) return level
  throw new StartupError(`PDPP_LOG must be one of ${LOG_LEVELS.join(', ')}, not "${text}".`)
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
