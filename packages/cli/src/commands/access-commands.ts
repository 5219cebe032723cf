import type { Command } from 'commander'

const CACHE = 'where tokens are kept (default: PDPP_CACHE_ROOT, the nearest .pdpp, or ~/.pdpp)'

/** Getting access to somebody's data, looking at it, giving it back. */
export function addAccessCommands(program: Command): void {
  program
    .command('connect')
    .argument('<provider-url>', 'the server, such as https://data.example.org')
    .summary('ask an owner for access; the answer is kept for `pdpp read` and the stdio adapter')
    .description(
      'Asks the owner of a server for access, in a browser. What was granted is shown in words. The token is kept in a file that only you can read, and never shown.',
    )
    .option('--device', 'show a code to enter on another device, instead of opening a browser here')
    .option('--no-browser', 'print the address instead of opening it')
    .option('--name <text>', 'what the owner sees as the name of this client', 'PDPP command line')
    .option('--source <id>', 'ask for this source alone; some servers read one source with one token')
    .option(
      '--with-token',
      'take a token from standard input instead: `pdpp owner grant create … --json | pdpp connect <url> --with-token`',
    )
    .option('--timeout <seconds>', 'how long to wait for the owner', '300')
    .option('--cache-root <folder>', CACHE)
    .option('--json', 'print what was granted as JSON, without the token')
    .action(async (url, options) => (await import('./connect.ts')).connect(url, options))

  program
    .command('status')
    .argument('[provider-url]', 'only this server')
    .summary('what you are connected to, what it may read and until when')
    .description('Lists the cached grants: what each may read, until when, and whether the server still accepts it.')
    .option('--offline', 'do not ask the servers')
    .option('--cache-root <folder>', CACHE)
    .option('--json', 'print JSON, without tokens')
    .action(async (url, options) => (await import('./status.ts')).status(url, options))

  program
    .command('disconnect')
    .argument('[provider-url]', 'the server; not needed while there is only one')
    .summary('give access back: revoke it, then forget it')
    .description(
      'Revokes the token at the server, then forgets it here. If the server does not answer, nothing is forgotten, unless --forget says so.',
    )
    .option('--grant <id>', 'this one of several grants (default: the latest)')
    .option('--all', 'every grant at this server')
    .option('--forget', 'forget it here even where it cannot be revoked')
    .option('--cache-root <folder>', CACHE)
    .option('--json', 'print JSON')
    .action(async (url, options) => (await import('./disconnect.ts')).disconnect(url, options))
}
