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
  /** True if the cache has no other provider, so that printed commands need not name this one. */
  readonly alone: boolean
  /** The flags that chose the grant. Without them, a printed command would read with another grant. */
  readonly flags: readonly string[]
}

export function openCache(options: ConnectionOptions): CredentialCache {
  const env = readEnvironment()
  return new CredentialCache(cacheRoot(options.cacheRoot ?? env.cacheRoot, env.home))
}

/** The provider of the argument or the environment variable, or else the only cached one. */
export function chooseProvider(named: string | undefined, cache: CredentialCache): string {
  const chosen = named ?? readEnvironment().providerUrl
  if (chosen !== undefined && chosen !== '') return providerAddress(chosen)
  const known = cache.providers()
  if (known.length === 1) return providerAddress(known[0]!)
  if (known.length === 0) throw notConnected(undefined, cache)
  throw new UsageError(
    `You are connected to ${known.length} servers: name one.`,
    `Put one of them first: ${known.slice(0, 12).join(' ')}`,
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
      `${grant.path} has an owner credential, but reads need that of a grant.`,
      `Run: ${commandLine(['pdpp', 'connect', providerUrl])}`,
    )
  return { providerUrl, cache, grant, alone: cache.providers().length === 1, flags: flagsOf(options) }
}

const flagsOf = ({ grant, cacheRoot: root }: ConnectionOptions): string[] => [
  ...(grant === undefined ? [] : ['--grant', grant]),
  ...(root === undefined ? [] : ['--cache-root', root]),
]

function notConnected(providerUrl: string | undefined, cache: CredentialCache, grant?: string): CommandFailure {
  const what = grant === undefined ? 'Nothing is connected' : `Grant ${grant} is not cached`
  const where = providerUrl === undefined ? '' : ` for ${providerUrl}`
  return new CommandFailure(
    EXIT.notAuthenticated,
    `${what}${where} in ${cache.root}.`,
    `Run: pdpp connect ${providerUrl ?? '<provider-url>'}`,
  )
}
