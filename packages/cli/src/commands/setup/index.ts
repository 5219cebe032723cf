import { HOST_NAMES } from '@pdpp/mcp-server/hosts'
import { Argument, type Command } from 'commander'

export function addSetupCommand(program: Command): void {
  program
    .command('setup')
    .addArgument(new Argument('[client]', 'the agent to connect').choices(HOST_NAMES))
    .argument(
      '[provider-url]',
      'the server (default: PDPP_PROVIDER_URL, the only server you are connected to, or the one running here)',
    )
    .summary('connect an agent')
    .description(
      'Shows how to connect an agent: the recommended way first, then the other. With --write it changes the settings for you. They contain no secret: the agent asks you for access in a browser.',
    )
    .option('--stdio', 'use the local adapter instead of the address of the server')
    .option('--write', "write it to the agent's settings, after showing the difference")
    .option('--bundle', 'for claude-desktop: write a .mcpb file into this folder, to open with Claude Desktop')
    .option('--grant <id>', 'with --stdio or --bundle: the access that the agent reads (default: the latest)')
    .option('--yes', 'with --write: do not ask')
    .option('--name <name>', 'what the agent calls the server', 'pdpp')
    .option('--json', 'print JSON')
    .action(async (client, url, options) => (await import('./setup.ts')).setup(client, url, options))
}
