import type { Command, Option } from 'commander'
import { EXIT_MEANINGS } from '../terminal/exit-codes.ts'
import { FIRST_COMMANDS } from '../welcome.ts'
import { pathOf } from './command-tree.ts'
import { NOTES } from './notes.ts'

const INTRODUCTION = `# Commands

\`npm run docs\` generates this page from the definition of the commands. A test fails if they differ.

In a clone, type \`./pdpp …\` in its folder; where \`@pdpp/cli\` is installed, \`npx pdpp …\`. Every command has \`--help\`, and \`pdpp --version\` prints the version. \`pdpp\` alone shows the five commands that a
newcomer needs:

${FIRST_COMMANDS.map(([command, meaning]) => `- \`${command}\`: ${meaning}`).join('\n')}

Owner commands talk to the server that runs on the data directory. If none runs, they open the data directory themselves. \`read\` commands go
over the network with a token from \`pdpp connect\`, and never with the owner's. If their first argument begins with \`http://\` or \`https://\`, it names the
server. Otherwise they use \`PDPP_PROVIDER_URL\`, or the only server that you are connected to.

## Output

Tables are for people. \`--json\` prints JSON, and \`--jsonl\` prints each row of a list on its own line. Results go to standard output. Warnings, hints, questions
and progress go to standard error. Colours appear only on a terminal, and never if \`NO_COLOR\` is set. On a terminal, \`PAGER\` or \`less\`
shows long texts.

## Environment

| name | meaning |
| --- | --- |
| \`PDPP_PROVIDER_URL\` | the server to read from, if none is named |
| \`PDPP_GRANT\` | the grant to read with, if there are several for one server |
| \`PDPP_CACHE_ROOT\` | the folder for tokens. Default: the nearest \`.pdpp\` folder upwards that contains tokens, then \`~/.pdpp\` |
| \`NO_COLOR\` | no colours |
| \`PAGER\` | the program that shows long texts; \`cat\` for none |
| \`BROWSER\` | the program that opens addresses. It is started without a shell, with the address as its only argument |

The server's own settings are in [configuration.md](configuration.md).

## Exit codes

| code | meaning |
| --- | --- |
${EXIT_MEANINGS.map(([code, meaning]) => `| ${code} | ${meaning} |`).join('\n')}

\`pdpp mcp\` has the adapter's exit codes: 64 (usage), 77 (an owner credential is set) or 78 (no usable token).

An error is one line on standard error. A second line says what to do.

## Other names

These commands and flags of other implementations work too: \`read query-records\`, \`read fetch\`, \`read field-window\`; \`--connection-id\`,
\`--connector-id\`, \`--format json|jsonl|table\`, \`--data\`, \`--filter-json\`, \`--streams\`, \`--field\`, \`--q\`, \`--offset-chars\`, \`--limit-chars\`,
\`--before-chars\`, \`--after-chars\`.
`

/** The content of docs/cli.md. */
export function commandReference(program: Command): string {
  return `${[INTRODUCTION, ...leaves(program).map(section)].join('\n').trimEnd()}\n`
}

/** All commands without subcommands, in the order of the help. */
export function leaves(command: Command): Command[] {
  const inner = command.commands.filter((each) => each.name() !== 'help')
  return inner.length === 0 ? [command] : inner.flatMap(leaves)
}

function section(command: Command): string {
  const path = pathOf(command).join(' ')
  const note = NOTES[path]
  const rows = command.options.filter((option) => !option.hidden).map(row)
  return [
    `## pdpp ${path}`,
    '',
    ['```', usage(command, path), '```'].join('\n'),
    '',
    sentence(escaped(command.description())),
    ...aliases(command),
    '',
    ...(rows.length === 0 ? [] : ['| flag | meaning |', '| --- | --- |', ...rows, '']),
    ...(note === undefined ? [] : [escaped(note), '']),
  ].join('\n')
}

function usage(command: Command, path: string): string {
  const given = command.usage()
  const own = command.registeredArguments.some((argument) => argument.variadic)
  const words = own ? given.replace(' [options]', '') : given.replace('[options]', '').trim()
  return `pdpp ${path}${words === '' ? '' : ` ${words}`}`
}

function aliases(command: Command): string[] {
  const names = command.alias()
    ? [`\`pdpp ${[...pathOf(command.parent!), command.alias()].join(' ')}\` does the same.`]
    : []
  const group = command.parent?.alias()
    ? [`\`pdpp ${[...pathOf(command.parent.parent!), command.parent.alias()].join(' ')} …\` works too.`]
    : []
  return [...names, ...group].map((text) => `\n${text}`)
}

function row(option: Option): string {
  const fallback =
    option.defaultValue === undefined || option.negate || option.defaultValue === true
      ? ''
      : ` (default: ${option.defaultValue})`
  const needed = option.mandatory ? 'required; ' : ''
  return `| \`${option.flags}\` | ${needed}${escaped(option.description)}${fallback} |`
}

/** Escapes characters that are special in Markdown, except inside code. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '\\<').replaceAll('|', '\\|')))
    .join('')
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.…:]$/.test(text) ? '' : '.'}`
