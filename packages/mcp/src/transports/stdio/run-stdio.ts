import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { AnyEntrypoint, Entrypoint } from '../../calling/entrypoint.ts'
import { readEnvironment } from '../../config/env.ts'
import { type CachedGrant, CredentialCache, cacheRoot } from '../../credentials/credential-cache.ts'
import { isOwnerCredential } from '../../credentials/credential-file.ts'
import { identity, mcpServer, VERSION } from '../../entrypoints/mcp-server.ts'
import { type BearerSource, HttpResourceServer } from '../../resource-server/http-resource-server.ts'
import { CachedBearer } from './cached-bearer.ts'
import { readOptions, type StdioOptions, UsageError, usage } from './options.ts'

/** Codes of sysexits: usage, no permission, configuration. Hosts show the code; the line on stderr explains it. */
const EXIT = { usage: 64, ownerCredential: 77, notConnected: 78 } as const

/** The facts that a command needs before it serves. */
export interface StdioStart {
  readonly providerUrl: string
  readonly bearers: BearerSource
  readonly reader: { readonly surface: string; readonly forAgents: true }
  readonly log: (line: string) => void
}

/** Serves an entrypoint that only reads, until stdin closes. */
export function runStdio(entrypoint: Entrypoint, args: readonly string[]): Promise<number> {
  return runCommand(entrypoint, args, ({ providerUrl, bearers, reader, log }) => {
    const resources = new HttpResourceServer(providerUrl, bearers, reader)
    return serveStdio(() => mcpServer(entrypoint, resources, identity(entrypoint)), {
      onerror: (error) => log(error.message),
    })
  })
}

/** Serves until stdin closes. stdout carries the protocol and nothing else. */
export async function runCommand(
  entrypoint: AnyEntrypoint,
  args: readonly string[],
  start: (found: StdioStart) => StdioServerHandle,
): Promise<number> {
  const { name } = entrypoint
  const env = readEnvironment()
  try {
    const options = readOptions(args, env)
    if (options === 'help') return say(usage(name), 0)
    if (options === 'version') return say(VERSION, 0)
    if (env.ownerCredentials.length > 0) {
      const names = env.ownerCredentials.join(', ')
      return say(
        `Refusing to start: an owner credential is set (${names}). Agents read with a grant: unset it, then run pdpp connect ${options.providerUrl}`,
        EXIT.ownerCredential,
      )
    }
    return await serve(entrypoint, options, cacheRoot(options.cacheRoot, env.home), start)
  } catch (error) {
    if (error instanceof UsageError) return say(`${error.message}\n\n${usage(name)}`, EXIT.usage)
    return say(`The adapter failed: ${error instanceof Error ? error.message : 'unknown error'}`, 1)
  }
}

async function serve(
  entrypoint: AnyEntrypoint,
  options: StdioOptions,
  root: string,
  start: (found: StdioStart) => StdioServerHandle,
): Promise<number> {
  const cache = new CredentialCache(root)
  const grant = cache.find(options.providerUrl, options.grant)
  if (!grant || isExpired(grant)) {
    const which = options.grant === undefined ? '' : ` of grant ${options.grant}`
    return say(
      `No usable token${which} for ${options.providerUrl} in ${root}. Run: pdpp connect ${options.providerUrl}`,
      EXIT.notConnected,
    )
  }
  if (isOwnerCredential(grant.credential)) {
    return say(
      `Refusing to start: ${grant.path} holds an owner credential. Run: pdpp connect ${options.providerUrl}`,
      EXIT.ownerCredential,
    )
  }
  say(`${entrypoint.name} reads ${options.providerUrl} with ${grant.path}`, 0)
  const log = (line: string) => void say(line, 0)
  const bearers = new CachedBearer(cache, grant, log)
  const closed = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  const reader = { surface: entrypoint.surface, forAgents: true } as const
  const handle = start({ providerUrl: options.providerUrl, bearers, reader, log })
  await closed
  await handle.close()
  return 0
}

function isExpired({ credential: { credential } }: CachedGrant): boolean {
  const end = typeof credential.expires_at === 'string' ? Date.parse(credential.expires_at) : Number.NaN
  return !Number.isNaN(end) && end <= Date.now() && !credential.refresh_token
}

function say(line: string, code: number): number {
  process.stderr.write(`${line}\n`)
  return code
}
