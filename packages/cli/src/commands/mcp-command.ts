import type { Command } from 'commander'

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .argument('[provider-url]', 'the server; not needed while you are connected to only one')
    .summary('start the stdio adapter for an MCP host')
    .description(
      'Serves what you were granted to an MCP host over standard input and output, read-only. Hosts start it by themselves: `pdpp setup` writes that down for them. It exits with 64 (usage), 77 (an owner credential is set) or 78 (not connected), as `pdpp-mcp-server` does.',
    )
    .option('--provider-url <url>', 'the same as the argument (default: PDPP_PROVIDER_URL)')
    .option('--grant <id>', 'one of several cached grants (default: PDPP_GRANT, or the latest)')
    .option('--cache-root <folder>', 'where tokens are kept (default: PDPP_CACHE_ROOT, the nearest .pdpp, or ~/.pdpp)')
    .action(async (url, options) => (await import('./mcp.ts')).mcp(url, options))
}
