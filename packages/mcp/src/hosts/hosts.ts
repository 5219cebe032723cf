import { join } from 'node:path'
import type { ConfigurationFile } from './configuration-text.ts'
import type { Entry, Folders } from './entry.ts'
import type { HostName } from './host-names.ts'
import { commandLine } from './shell-quote.ts'

/** How to set up a host. */
export interface Host {
  readonly title: string
  /** True if the host runs on this machine and can use a local address. */
  readonly reachesLocal: boolean
  /** True if the host can start a program on this machine. */
  readonly startsPrograms: boolean
  /** A command that does the whole setup. */
  command?(name: string, entry: Entry): string | undefined
  /** The host's configuration file and the entry to add. */
  file?(folders: Folders, entry: Entry): ConfigurationFile | undefined
  /** Steps in the host's settings, if there is no command and no file. */
  steps?(name: string, entry: Entry): readonly string[]
  /** The next step after the setup. */
  after(name: string, entry: Entry): string
}

const program = (entry: Extract<Entry, { kind: 'stdio' }>) => ({ command: entry.command, args: entry.args })
const words = (entry: Extract<Entry, { kind: 'stdio' }>) => [entry.command, ...entry.args]
const SIGN_IN = 'A browser opens. Sign in and choose what it may read.'

function jsonFile(path: string, section: string, value: (entry: Entry) => Record<string, unknown>) {
  return (entry: Entry): ConfigurationFile => ({ path, format: 'json', section, value: value(entry) })
}

const connector = (name: string, entry: Entry): readonly string[] =>
  entry.kind === 'hosted'
    ? ['Open Settings, then Connectors, and choose "Add custom connector".', `Name: ${name}`, `URL: ${entry.url}`]
    : []

export const HOSTS: Record<HostName, Host> = {
  claude: {
    title: 'Claude (web, desktop, phone)',
    reachesLocal: false,
    startsPrograms: false,
    steps: connector,
    after: () => `Choose "Connect". ${SIGN_IN}`,
  },
  'claude-code': {
    title: 'Claude Code',
    reachesLocal: true,
    startsPrograms: true,
    command: (name, entry) =>
      entry.kind === 'hosted'
        ? commandLine(['claude', 'mcp', 'add', '--transport', 'http', '--scope', 'user', name, entry.url])
        : commandLine(['claude', 'mcp', 'add', '--scope', 'user', name, '--', ...words(entry)]),
    file: ({ here }, entry) =>
      jsonFile(join(here, '.mcp.json'), 'mcpServers', (it) =>
        it.kind === 'hosted' ? { type: 'http', url: it.url } : { type: 'stdio', ...program(it) },
      )(entry),
    after: (name, entry) =>
      entry.kind === 'hosted'
        ? `In Claude Code, type /mcp and choose ${name}. ${SIGN_IN}`
        : 'Restart Claude Code. /mcp shows it.',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    reachesLocal: false,
    startsPrograms: true,
    file: ({ claudeDesktop }, entry) =>
      entry.kind === 'stdio' ? jsonFile(claudeDesktop, 'mcpServers', () => program(entry))(entry) : undefined,
    steps: connector,
    after: (_name, entry) =>
      entry.kind === 'hosted' ? `Choose "Connect". ${SIGN_IN}` : 'Quit Claude Desktop and start it again.',
  },
  chatgpt: {
    title: 'ChatGPT',
    reachesLocal: false,
    startsPrograms: false,
    steps: (name, entry) =>
      entry.kind === 'hosted'
        ? [
            'Open Settings, then Apps & Connectors, and turn on Developer mode under Advanced settings.',
            'Choose "Create".',
            `Name: ${name}`,
            `MCP server URL: ${entry.url}`,
            'Authentication: OAuth',
          ]
        : [],
    after: () => `Choose "Create" again. ${SIGN_IN}`,
  },
  codex: {
    title: 'Codex',
    reachesLocal: true,
    startsPrograms: true,
    command: (name, entry) =>
      entry.kind === 'hosted'
        ? `${commandLine(['codex', 'mcp', 'add', name, '--url', entry.url])} && ${commandLine(['codex', 'mcp', 'login', name])}`
        : commandLine(['codex', 'mcp', 'add', name, '--', ...words(entry)]),
    file: ({ codex }, entry) => ({
      path: codex,
      format: 'toml',
      section: 'mcp_servers',
      value: entry.kind === 'hosted' ? { url: entry.url } : program(entry),
    }),
    after: (_name, entry) =>
      entry.kind === 'hosted' ? `${SIGN_IN} Afterwards /mcp shows it in Codex.` : 'Restart Codex. /mcp shows it.',
  },
  cursor: {
    title: 'Cursor',
    reachesLocal: true,
    startsPrograms: true,
    file: ({ cursor }, entry) =>
      jsonFile(cursor, 'mcpServers', (it) => (it.kind === 'hosted' ? { url: it.url } : program(it)))(entry),
    after: (name, entry) =>
      entry.kind === 'hosted'
        ? `Restart Cursor, open its MCP settings and choose "Connect" at ${name}. ${SIGN_IN}`
        : 'Restart Cursor.',
  },
  vscode: {
    title: 'VS Code',
    reachesLocal: true,
    startsPrograms: true,
    command: (name, entry) =>
      commandLine([
        'code',
        '--add-mcp',
        JSON.stringify(
          entry.kind === 'hosted' ? { name, type: 'http', url: entry.url } : { name, type: 'stdio', ...program(entry) },
        ),
      ]),
    file: ({ vscode }, entry) =>
      jsonFile(vscode, 'servers', (it) =>
        it.kind === 'hosted' ? { type: 'http', url: it.url } : { type: 'stdio', ...program(it) },
      )(entry),
    after: (name, entry) =>
      entry.kind === 'hosted'
        ? `Run "MCP: List Servers" in the command palette and start ${name}. ${SIGN_IN}`
        : `Run "MCP: List Servers" in the command palette and start ${name}.`,
  },
  gemini: {
    title: 'Gemini CLI',
    reachesLocal: true,
    startsPrograms: true,
    command: (name, entry) =>
      entry.kind === 'hosted'
        ? commandLine(['gemini', 'mcp', 'add', '--scope', 'user', '--transport', 'http', name, entry.url])
        : commandLine(['gemini', 'mcp', 'add', '--scope', 'user', name, ...words(entry)]),
    file: ({ gemini }, entry) =>
      jsonFile(gemini, 'mcpServers', (it) => (it.kind === 'hosted' ? { httpUrl: it.url } : program(it)))(entry),
    after: (name, entry) =>
      entry.kind === 'hosted'
        ? `In Gemini CLI, type /mcp auth ${name}. ${SIGN_IN}`
        : 'Restart Gemini CLI. /mcp shows it.',
  },
  other: {
    title: 'Any other MCP client',
    reachesLocal: true,
    startsPrograms: true,
    steps: (name, entry) =>
      entry.kind === 'hosted'
        ? [
            `Name: ${name}`,
            'Transport: Streamable HTTP',
            `URL: ${entry.url}`,
            'Authentication: OAuth (the client registers itself)',
          ]
        : [`Name: ${name}`, 'Transport: stdio', `Command: ${commandLine(words(entry))}`],
    after: (_name, entry) => (entry.kind === 'hosted' ? `Connect it. ${SIGN_IN}` : 'Start the client again.'),
  },
}
