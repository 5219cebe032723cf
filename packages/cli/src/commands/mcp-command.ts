import type { Command } from 'commander'

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .argument('[provider-url]', 'the server; not needed if you are connected to only one')
    .summary('start the stdio adapter for an MCP host')
    .description(
      'Gives an MCP host read-only access to what you were granted, over standard input and output. Hosts start it themselves: `pdpp setup` configures that. It exits with 64 (usage), 77 (an owner credential is set) or 78 (not connected), as `pdpp-mcp-server` does.',
    )
    .option('--provider-url <url>', 'the same as the argument (default: PDPP_PROVIDER_URL)')
    .option('--grant <id>', 'one of several cached grants (default: PDPP_GRANT, or the latest)')
    .option('--cache-root <folder>', 'the folder for tokens (default: PDPP_CACHE_ROOT, the nearest .pdpp, or ~/.pdpp)')
    .action(async (url, options) => (await import('./mcp.ts')).mcp(url, options))
}
