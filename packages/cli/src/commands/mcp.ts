import { NORMAL, runStdio } from '@pdpp/mcp-server'
import { readEnvironment } from '@pdpp/mcp-server/client'
import { openCache } from '../provider/connected.ts'

interface McpOptions {
  providerUrl?: string
  grant?: string
  cacheRoot?: string
}

/** Runs the adapter of `pdpp-mcp-server`, with its exit codes. Only the protocol may write to stdout. */
export async function mcp(url: string | undefined, options: McpOptions): Promise<void> {
  const provider = url ?? options.providerUrl ?? readEnvironment().providerUrl ?? onlyProvider(options)
  const flags = { 'provider-url': provider, grant: options.grant, 'cache-root': options.cacheRoot }
  const args = Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
  // Exit even if sockets of finished calls are still open, because the host has disconnected.
  process.exit(await runStdio(NORMAL, args))
}

function onlyProvider(options: McpOptions): string | undefined {
  const known = openCache(options).providers()
  return known.length === 1 ? known[0] : undefined
}
