import type { Command, Option } from 'commander'
import { EXIT_MEANINGS } from '../terminal/exit-codes.ts'
import { FIRST_COMMANDS } from '../welcome.ts'
import { pathOf } from './command-tree.ts'
import { NOTES } from './notes.ts'

const INTRODUCTION = `# Commands

This page is written by \`npm run docs\` from the definition that the command itself runs on; a test fails when they differ.

In a clone, and where \`@pdpp/cli\` is installed, run them as \`npx pdpp …\` from that folder. Any command with \`--help\` shows its options, \`pdpp --version\` which one this is. \`pdpp\` alone shows the five that a
newcomer needs:

${FIRST_COMMANDS.map(([command, meaning]) => `- \`${command}\`: ${meaning}`).join('\n')}

Owner commands speak to the running server of the data directory. When none runs, they open the data directory themselves. Reads go
over the network with a token that \`pdpp connect\` got, and never with the owner's: a first argument that begins with \`http://\` or \`https://\` names the
server; without one it is \`PDPP_PROVIDER_URL\`, or the only server that you are connected to.

## Output

Tables are for people. \`--json\` prints JSON, \`--jsonl\` the rows of a list on a line each. Results go to standard output; warnings, hints, questions
and progress go to standard error. Colours appear on a terminal only, and never when \`NO_COLOR\` is set. Long texts are shown in \`PAGER\`,
or \`less\`, on a terminal only.

## Environment

| name | meaning |
| --- | --- |
| \`PDPP_PROVIDER_URL\` | the server that reads go to, when none is named |
| \`PDPP_GRANT\` | the grant that reads use, of several at one server |
| \`PDPP_CACHE_ROOT\` | where tokens are kept. Without it: the nearest \`.pdpp\` folder upwards that holds any, then \`~/.pdpp\` |
| \`NO_COLOR\` | no colours |
| \`PAGER\` | shows long texts; \`cat\` for none |
| \`BROWSER\` | the program that opens addresses. Started without a shell, with the address as its only argument |

The server's own settings are in [configuration.md](configuration.md).

## Exit codes

| code | meaning |
| --- | --- |
${EXIT_MEANINGS.map(([code, meaning]) => `| ${code} | ${meaning} |`).join('\n')}

\`pdpp mcp\` exits as the adapter does: 64 (usage), 77 (an owner credential is set) or 78 (no usable token).

An error is one line on standard error, and a second one that says what to do.

## Names from elsewhere

Commands and flags of the existing \`pdpp\` are accepted where they differ: \`read query-records\`, \`read fetch\`, \`read field-window\`; \`--connection-id\`,
\`--connector-id\`, \`--format json|jsonl|table\`, \`--data\`, \`--filter-json\`, \`--streams\`, \`--field\`, \`--q\`, \`--offset-chars\`, \`--limit-chars\`,
\`--before-chars\`, \`--after-chars\`.
`

/** docs/cli.md, whole. */
export function commandReference(program: Command): string {
  return `${[INTRODUCTION, ...leaves(program).map(section)].join('\n').trimEnd()}\n`
}

/** Commands that do something, in the order of help. */
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
    ? [`\`pdpp ${[...pathOf(command.parent!), command.alias()].join(' ')}\` is the same.`]
    : []
  const group = command.parent?.alias()
    ? [`\`pdpp ${[...pathOf(command.parent.parent!), command.parent.alias()].join(' ')} …\` is accepted.`]
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

/** Outside of code, what Markdown would take for its own. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '\\<').replaceAll('|', '\\|')))
    .join('')
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.…:]$/.test(text) ? '' : '.'}`
