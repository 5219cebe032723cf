import type { Command } from 'commander'

const CACHE = 'the folder for tokens (default: PDPP_CACHE_ROOT, the nearest .pdpp, or ~/.pdpp)'

/** Commands that get, show and give back access. */
export function addAccessCommands(program: Command): void {
  program
    .command('connect')
    .argument('<provider-url>', 'the server, such as https://data.example.org')
    .summary('ask an owner for access, for `pdpp read` and the stdio adapter')
    .description(
      'Asks the owner of a server for access, in a browser, and shows what you may read. The token is stored in a file that only you can read. It is never shown.',
    )
    .option('--device', 'show a code to enter on another device, instead of opening a browser')
    .option('--no-browser', 'print the address instead of opening it')
    .option('--name <text>', 'the name of this client that the owner sees', 'PDPP command line')
    .option('--source <id>', 'ask only for this source; some servers allow one source per token')
    .option(
      '--with-token',
      'read a token from standard input instead: `pdpp owner grant create … --json | pdpp connect <url> --with-token`',
    )
    .option('--timeout <seconds>', 'how long to wait for the owner', '300')
    .option('--cache-root <folder>', CACHE)
    .option('--json', 'print what was granted as JSON, without the token')
    .action(async (url, options) => (await import('./connect.ts')).connect(url, options))

  program
    .command('status')
    .argument('[provider-url]', 'only this server')
    .summary('show what you are connected to, what you may read and until when')
    .description('Lists your grants: what each may read, until when, and whether the server still accepts it.')
    .option('--offline', 'do not ask the servers')
    .option('--cache-root <folder>', CACHE)
    .option('--json', 'print JSON, without tokens')
    .action(async (url, options) => (await import('./status.ts')).status(url, options))

  program
    .command('disconnect')
    .argument('[provider-url]', 'the server; not needed if there is only one')
    .summary('give up access: revoke the token, then delete it here')
    .description(
      'Revokes the token at the server, then deletes it here. If the server does not answer, the token stays, unless you add --forget.',
    )
    .option('--grant <id>', 'one of several grants (default: the latest)')
    .option('--all', 'every grant at this server')
    .option('--forget', "delete it here even if the server can't revoke it")
    .option('--cache-root <folder>', CACHE)
    .option('--json', 'print JSON')
    .action(async (url, options) => (await import('./disconnect.ts')).disconnect(url, options))
}
