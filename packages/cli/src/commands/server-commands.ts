import { type Command, InvalidArgumentError } from 'commander'

function port(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}

export function addServerCommands(program: Command): void {
  program
    .command('serve')
    .summary('run the server')
    .description(
      'Runs the server until you press Ctrl-C. Running requests get five seconds to finish; a second Ctrl-C does not wait. In a clone, `npm start` is `pdpp serve --open`. Its flags go after `--`, as in `npm start -- --no-open`.',
    )
    .option('--port <number>', 'port to listen on; 0 lets the system choose (default: PORT, or 7662)', port)
    .option('--host <address>', 'address to listen on (default: PDPP_HOST, or 127.0.0.1)')
    .option('--data-dir <path>', 'the data directory (default: PDPP_DATA_DIR, or ~/.pdpp/server)')
    .option(
      '--new-receipts',
      'start even if receipts.db is lost, damaged or from another installation: set the old file aside and start a new activity log',
    )
    .option('--demo', 'load the demo data if there is no source yet')
    .option('--open', 'open your data in a browser, if there is one here')
    .option('--no-open', 'do not open a browser')
    .action(async (options) => (await import('./serve.ts')).serve(options))

  const demo = program.command('demo').summary('load or remove demo data')
  demo
    .command('load', { isDefault: true })
    .summary('load demo data, to look around (`pdpp demo` does the same)')
    .description(
      'Loads a year in the life of an invented person, to look around. It never mixes with your own data: the command refuses if you have some. `pdpp demo remove` removes it.',
    )
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print {records, connections}')
    .action(async (options) => (await import('./demo.ts')).demo(options))

  demo
    .command('remove')
    .description('remove the demo data, and nothing else')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print {removed_connections}')
    .action(async (options) => (await import('./demo.ts')).removeDemo(options))
}
