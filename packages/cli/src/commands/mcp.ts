import { NORMAL, runStdio } from '@pdpp/mcp-server'
import { readEnvironment } from '@pdpp/mcp-server/client'
import { openCache } from '../provider/connected.ts'

interface McpOptions {
  providerUrl?: string
  grant?: string
  cacheRoot?: string
}

/** The adapter of `pdpp-mcp-server`, with its exit codes; stdout is the protocol's. */
export async function mcp(url: string | undefined, options: McpOptions): Promise<void> {
  const provider = url ?? options.providerUrl ?? readEnvironment().providerUrl ?? onlyProvider(options)
  const flags = { 'provider-url': provider, grant: options.grant, 'cache-root': options.cacheRoot }
  const args = Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
  // Sockets of finished calls must not keep the process: when the host has gone there is nobody to serve.
  process.exit(await runStdio(NORMAL, args))
}

function onlyProvider(options: McpOptions): string | undefined {
  const known = openCache(options).providers()
  return known.length === 1 ? known[0] : undefined
}
