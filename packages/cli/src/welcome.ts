import { bold, dim, printLine } from './terminal/output.ts'

/** The five commands that a newcomer needs. `pdpp` without arguments lists them. */
export const FIRST_COMMANDS: readonly (readonly [string, string])[] = [
  ['pdpp serve --demo', 'run a server with an invented owner, to look around'],
  ['pdpp connect <provider-url>', 'ask an owner for access to their data'],
  ['pdpp read search <words>', 'search the data you were granted'],
  ['pdpp setup <client>', 'set up an AI client: claude-code, chatgpt, cursor, …'],
  ['pdpp doctor', 'find out what is wrong and how to fix it'],
]

export function welcome(): void {
  const width = Math.max(...FIRST_COMMANDS.map(([command]) => command.length))
  printLine('Keep your own data on your own server, and hand an agent a bounded, revocable slice of it.')
  printLine()
  printLine(`${bold('Usage: pdpp <command>')}`)
  printLine()
  for (const [command, meaning] of FIRST_COMMANDS) printLine(`  ${bold(command.padEnd(width))}  ${meaning}`)
  printLine()
  printLine(dim('`pdpp --help` lists all commands, `pdpp <command> --help` the options of one.'))
}
