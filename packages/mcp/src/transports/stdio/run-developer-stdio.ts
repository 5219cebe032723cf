import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { DEVELOPER } from '../../entrypoints/developer.ts'
import { identity } from '../../entrypoints/identity.ts'
import { mcpServer } from '../../entrypoints/mcp-server.ts'
import { HttpSubscriptionServer } from '../../resource-server/http-subscription-server.ts'
import { runCommand } from './run-stdio.ts'

/** Serves the developer entrypoint, until stdin closes. */
export function runDeveloperStdio(args: readonly string[]): Promise<number> {
  return runCommand(DEVELOPER, args, ({ providerUrl, bearers, reader, log }) => {
    const resources = new HttpSubscriptionServer(providerUrl, bearers, reader)
    return serveStdio(() => mcpServer(DEVELOPER, resources, identity(DEVELOPER)), {
      onerror: (error) => log(error.message),
    })
  })
}
