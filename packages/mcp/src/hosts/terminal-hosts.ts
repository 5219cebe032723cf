import { join } from 'node:path'
import { type Host, jsonFile, program, SIGN_IN, words } from './entry.ts'
import { commandLine } from './shell-quote.ts'

/** Agents in a terminal. Each has a command that adds a server. */
export const TERMINAL_HOSTS = {
  'claude-code': {
    title: 'Claude Code',
    reachesLocal: true,
    startsPrograms: true,
    command: (name, entry) =>
      entry.kind === 'hosted'
        ? `${commandLine(['claude', 'mcp', 'add', '--transport', 'http', '--scope', 'user', name, entry.url])} && ${commandLine(['claude', 'mcp', 'login', name])}`
        : commandLine(['claude', 'mcp', 'add', '--scope', 'user', name, '--', ...words(entry)]),
    file: ({ here }, entry) =>
      jsonFile(
        join(here, '.mcp.json'),
        'mcpServers',
        entry,
        (url) => ({ type: 'http', url }),
        (started) => ({ type: 'stdio', ...program(started) }),
      ),
    after: (name, entry) =>
      entry.kind === 'hosted'
        ? `${SIGN_IN} In Claude Code, /mcp shows ${name}.`
        : 'Restart Claude Code. /mcp shows it.',
  },
  codex: {
    title: 'Codex',
    reachesLocal: true,
    startsPrograms: true,
    // Codex starts the sign-in itself. A second command would ask for consent twice.
    command: (name, entry) =>
      entry.kind === 'hosted'
        ? commandLine(['codex', 'mcp', 'add', name, '--url', entry.url])
        : commandLine(['codex', 'mcp', 'add', name, '--', ...words(entry)]),
    file: ({ codex }, entry) => ({
      path: codex,
      format: 'toml',
      section: 'mcp_servers',
      value: entry.kind === 'hosted' ? { url: entry.url } : program(entry),
    }),
    after: (_name, entry) =>
      entry.kind === 'hosted' ? `${SIGN_IN} In Codex, /mcp shows it.` : 'Restart Codex. /mcp shows it.',
  },
  gemini: {
    title: 'Gemini CLI',
    reachesLocal: true,
    startsPrograms: true,
    command: (name, entry) =>
      entry.kind === 'hosted'
        ? commandLine(['gemini', 'mcp', 'add', '--scope', 'user', '--transport', 'http', name, entry.url])
        : commandLine(['gemini', 'mcp', 'add', '--scope', 'user', name, ...words(entry)]),
    file: ({ gemini }, entry) => jsonFile(gemini, 'mcpServers', entry, (httpUrl) => ({ httpUrl })),
    after: (name, entry) =>
      entry.kind === 'hosted'
        ? `In Gemini CLI, type /mcp auth ${name}. ${SIGN_IN}`
        : 'Restart Gemini CLI. /mcp shows it.',
  },
  goose: {
    title: 'Goose',
    reachesLocal: true,
    startsPrograms: true,
    steps: (name, entry) => [
      'In Goose, open Extensions and choose "Add custom extension".',
      `Name: ${name}`,
      ...(entry.kind === 'hosted'
        ? ['Type: Streamable HTTP', `Endpoint: ${entry.url}`]
        : ['Type: STDIO', `Command: ${commandLine(words(entry))}`]),
    ],
    after: (_name, entry) => (entry.kind === 'hosted' ? `Save it. ${SIGN_IN}` : 'Save it.'),
  },
  opencode: {
    title: 'OpenCode',
    reachesLocal: true,
    startsPrograms: true,
    file: ({ openCode }, entry) =>
      jsonFile(
        openCode,
        'mcp',
        entry,
        (url) => ({ type: 'remote', url, enabled: true }),
        (started) => ({ type: 'local', command: words(started), enabled: true }),
      ),
    after: (name, entry) =>
      entry.kind === 'hosted' ? `Then run: opencode mcp auth ${name}. ${SIGN_IN}` : 'Restart OpenCode.',
  },
} satisfies Record<string, Host>
