import { Command, Option } from 'commander'
import { addAccessCommands } from './commands/access-commands.ts'
import { addCompletionCommand } from './commands/completion-command.ts'
import { addDoctorCommand } from './commands/doctor/index.ts'
import { addImportCommand } from './commands/import/index.ts'
import { addMcpCommand } from './commands/mcp-command.ts'
import { addOwnerCommands } from './commands/owner/index.ts'
import { addReadCommands } from './commands/read/index.ts'
import { addServerCommands } from './commands/server-commands.ts'
import { addSetupCommand } from './commands/setup/index.ts'
import { VERSION } from './invocation.ts'
import { everyCommand } from './reference/command-tree.ts'
import { addNotes } from './reference/notes.ts'
import { useJsonLines } from './terminal/output.ts'
import { typed } from './terminal/typed.ts'

/** All commands, in the order of the help. */
const COMMANDS: readonly ((program: Command) => void)[] = [
  addServerCommands,
  addImportCommand,
  addOwnerCommands,
  addAccessCommands,
  addReadCommands,
  addSetupCommand,
  addMcpCommand,
  addDoctorCommand,
  addCompletionCommand,
]

/** The only definition of the commands. The help, docs/cli.md and shell completion are generated from it. */
export function createProgram(): Command {
  const program = new Command('pdpp')
    .description('Keep your data on your own server, and let an AI agent read the parts you choose.')
    .version(VERSION, '--version', 'show the version')
    .configureHelp({ subcommandTerm })
    .showHelpAfterError('(run with --help for the options)')
  for (const add of COMMANDS) add(program)
  const withLines = new Set<Command>()
  for (const command of everyCommand(program)) {
    command.exitOverride()
    command.configureOutput({
      writeOut: (text) => process.stdout.write(typed(text)),
      writeErr: (text) => process.stderr.write(typed(text)),
    })
    if (offerLines(command)) withLines.add(command)
  }
  addNotes(program)
  program.hook('preAction', (_program, command) => {
    if (withLines.has(command) && command.getOptionValue('jsonl')) {
      command.setOptionValue('json', true)
      useJsonLines()
    }
  })
  return program
}

/** A command and its arguments, as the help lists it. Aliases are only in the docs. */
function subcommandTerm(command: Command): string {
  const words = command
    .usage()
    .replace(/\s*\[options\]\s*/, ' ')
    .trim()
  // Every read command takes the server first, so the help says that once, above the list.
  const variadic = command.registeredArguments.some((argument) => argument.variadic)
  return `${command.name()} ${variadic ? words.replace(/^\[provider-url\]\s*/, '') : words}`.trim()
}

/** Adds `--jsonl` to every command that has `--json`, except to those that define it themselves. */
function offerLines(command: Command): boolean {
  const at = command.options.findIndex((option) => option.long === '--json')
  if (at === -1 || command.options.some((option) => option.long === '--jsonl')) return false
  command.addOption(new Option('--jsonl', 'print JSON, one row per line'))
  // Put it next to --json in the help and the docs.
  const options = command.options as Option[]
  options.splice(at + 1, 0, options.pop()!)
  return true
}
