import {
  type CachedGrant,
  CredentialCache,
  cacheRoot,
  isOwnerCredential,
  readEnvironment,
} from '@pdpp/mcp-server/client'
import { commandLine } from '@pdpp/mcp-server/hosts'
import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'
import { providerAddress } from './address.ts'

/** Options of every command that reads with a cached grant. */
export interface ConnectionOptions {
  grant?: string
  cacheRoot?: string
}

export interface Connected {
  readonly providerUrl: string
  readonly cache: CredentialCache
  readonly grant: CachedGrant
  /** True if the cache has no other provider, so that printed commands need not name it. */
  readonly alone: boolean
  /** Flags that chose the grant. Printed commands repeat them to read with the same grant. */
  readonly flags: readonly string[]
}

export function openCache(options: ConnectionOptions): CredentialCache {
  const env = readEnvironment()
  return new CredentialCache(cacheRoot(options.cacheRoot ?? env.cacheRoot, env.home))
}

/** The provider from the argument or the environment, or the only cached one. */
export function chooseProvider(named: string | undefined, cache: CredentialCache): string {
  const chosen = named ?? readEnvironment().providerUrl
  if (chosen !== undefined && chosen !== '') return providerAddress(chosen)
  const known = cache.providers()
  if (known.length === 1) return providerAddress(known[0]!)
  if (known.length === 0) throw notConnected(undefined, cache)
  throw new UsageError(
    `You are connected to ${known.length} servers. Say which one to use.`,
    `Put its address first: ${known.slice(0, 12).join(' ')}`,
  )
}

export function connected(named: string | undefined, options: ConnectionOptions): Connected {
  const cache = openCache(options)
  const providerUrl = chooseProvider(named, cache)
  const grant = cache.find(providerUrl, options.grant ?? readEnvironment().grant)
  if (!grant) throw notConnected(providerUrl, cache, options.grant)
  if (isOwnerCredential(grant.credential))
    throw new CommandFailure(
      EXIT.notPermitted,
      `${grant.path} contains an owner credential, and pdpp never reads with one.`,
      `Run: ${commandLine(['pdpp', 'connect', providerUrl])}`,
    )
  return { providerUrl, cache, grant, alone: cache.providers().length === 1, flags: flagsOf(options) }
}

const flagsOf = ({ grant, cacheRoot: root }: ConnectionOptions): string[] => [
  ...(grant === undefined ? [] : ['--grant', grant]),
  ...(root === undefined ? [] : ['--cache-root', root]),
]

function notConnected(providerUrl: string | undefined, cache: CredentialCache, grant?: string): CommandFailure {
  const what = grant === undefined ? 'You are not connected' : `There is no cached grant ${grant}`
  const server = providerUrl === undefined ? '' : grant === undefined ? ` to ${providerUrl}` : ` for ${providerUrl}`
  return new CommandFailure(
    EXIT.notAuthenticated,
    `${what}${server} (looked in ${cache.root}).`,
    `Run: pdpp connect ${providerUrl ?? '<provider-url>'}`,
  )
}
