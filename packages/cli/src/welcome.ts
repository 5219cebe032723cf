import { bold, dim, printLine } from './terminal/output.ts'
import { typed } from './terminal/typed.ts'

/** The five commands that a newcomer needs. `pdpp` without arguments lists them. */
export const FIRST_COMMANDS: readonly (readonly [string, string])[] = [
  ['pdpp serve', 'run your server'],
  ['pdpp import <file>', 'add an export, a mailbox or a table'],
  ['pdpp setup <agent>', 'connect an agent: claude-code, codex, cursor, …'],
  ['pdpp owner login', 'print a link that signs you in'],
  ['pdpp doctor', 'diagnose problems'],
]

export function welcome(): void {
  const commands = FIRST_COMMANDS.map(([command, meaning]) => [typed(command), meaning] as const)
  const width = Math.max(...commands.map(([command]) => command.length))
  printLine('Keep your data on your own server, and let an AI agent read the parts you choose.')
  printLine()
  printLine(bold(typed('Usage: pdpp <command>')))
  printLine()
  for (const [command, meaning] of commands) printLine(`  ${bold(command.padEnd(width))}  ${meaning}`)
  printLine()
  printLine(dim(typed('`pdpp --help` lists all commands, `pdpp <command> --help` the options of one.')))
}
