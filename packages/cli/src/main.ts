import { Command, CommanderError } from 'commander'
import { addImportCommand } from './commands/import/index.ts'
import { addOwnerCommands } from './commands/owner/index.ts'

/** Exit codes are part of the contract: docs/cli.md lists them. */
const USAGE = 2

const program = new Command('pdpp')
  .description('Keep your own data on your own server, and hand an agent a bounded, revocable slice of it.')
  .exitOverride()
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('(run with --help for the options)')

program
  .command('serve')
  .description('run the server')
  .option('--port <number>', 'port to listen on (default: PORT, or 7662)')
  .option('--host <address>', 'address to listen on (default: PDPP_HOST, or 127.0.0.1)')
  .option('--data-dir <path>', 'where records are kept (default: PDPP_DATA_DIR, or ~/.pdpp/server)')
  .option('--demo', 'load the demo owner when the data directory is new')
  .action(async (options) => (await import('./commands/serve.ts')).serve(options))

program
  .command('demo')
  .description("load the demo owner's year of invented data")
  .option('--data-dir <path>', 'where records are kept')
  .option('--json', 'print JSON')
  .action(async (options) => (await import('./commands/demo.ts')).demo(options))

addImportCommand(program)
addOwnerCommands(program)

try {
  if (process.argv.length <= 2) program.outputHelp()
  else await program.parseAsync()
} catch (error) {
  process.exitCode =
    error instanceof CommanderError ? (error.exitCode === 0 ? 0 : USAGE) : (await import('./failure.ts')).report(error)
}
