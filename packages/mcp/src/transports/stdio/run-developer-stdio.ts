import type { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { DEVELOPER } from '../../entrypoints/developer.ts'
import { identity, mcpServer } from '../../entrypoints/mcp-server.ts'
import { HttpSubscriptionServer } from '../../resource-server/http-subscription-server.ts'
import type { SubscriptionServer } from '../../resource-server/subscription-server.ts'
import { runCommand } from './run-stdio.ts'
import { MAX_LISTENERS, StdioListening } from './stdio-listening.ts'

/** Serves the developer entrypoint, until stdin closes. */
export function runDeveloperStdio(args: readonly string[]): Promise<number> {
  return runCommand(DEVELOPER, args, ({ providerUrl, bearers, reader, log }) => {
    const resources = new HttpSubscriptionServer(providerUrl, bearers, reader)
    const listening = new StdioListening(resources, new StdioServerTransport(), log)
    const handle = serveStdio(({ era }) => connected(resources, listening, era), {
      transport: listening.transport(),
      maxSubscriptions: MAX_LISTENERS,
      onerror: (error) => log(error.message),
    })
    return {
      close: async () => {
        await listening.stop()
        await handle.close()
      },
    }
  })
}

function connected(resources: SubscriptionServer, listening: StdioListening, era: 'legacy' | 'modern'): Server {
  if (era === 'modern') return mcpServer(DEVELOPER, resources, identity(DEVELOPER), 'listen')
  const server: Server = mcpServer(
    DEVELOPER,
    resources,
    identity(DEVELOPER),
    listening.subscriptions((params) => server.notification({ method: 'notifications/resources/updated', params })),
  )
  return server
}
