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
      'Runs the server until you press Ctrl-C. Running requests get five seconds to finish; a second Ctrl-C does not wait. `npm start` is `pdpp serve --demo`. Its flags go after `--`, as in `npm start -- --port 8000`.',
    )
    .option('--port <number>', 'port to listen on; 0 lets the system choose (default: PORT, or 7662)', port)
    .option('--host <address>', 'address to listen on (default: PDPP_HOST, or 127.0.0.1)')
    .option('--data-dir <path>', 'the data directory (default: PDPP_DATA_DIR, or ~/.pdpp/server)')
    .option(
      '--new-receipts',
      'start although receipts.db is lost, damaged or of another installation: move the old file aside and begin new receipts',
    )
    .option('--demo', 'load the demo owner if there is no source yet')
    .action(async (options) => (await import('./serve.ts')).serve(options))

  program
    .command('demo')
    .summary("load the demo owner's year of invented data")
    .description(
      'Loads the demo owner, an invented person with a year of data, into a data directory that no server uses. Safe to repeat.',
    )
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print {records, connections}')
    .action(async (options) => (await import('./demo.ts')).demo(options))
}
