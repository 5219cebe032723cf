import { HOST_NAMES } from '@pdpp/mcp-server/hosts'
import { Argument, type Command } from 'commander'

export function addSetupCommand(program: Command): void {
  program
    .command('setup')
    .addArgument(new Argument('[client]', 'the client to set up').choices(HOST_NAMES))
    .argument(
      '[provider-url]',
      'the server (default: PDPP_PROVIDER_URL, the only server you are connected to, or the one running here)',
    )
    .summary('set up an AI client to read what you grant it')
    .description(
      'Shows how to connect an AI client: the recommended way first, then the other. The client asks the owner for access itself, so its configuration contains no secrets.',
    )
    .option('--stdio', 'use the local adapter instead of the address of the server')
    .option('--write', "write it to the client's configuration file, after showing the difference")
    .option('--yes', 'with --write: do not ask')
    .option('--name <name>', 'what the client calls the server', 'pdpp')
    .option('--json', 'print JSON')
    .action(async (client, url, options) => (await import('./setup.ts')).setup(client, url, options))
}
