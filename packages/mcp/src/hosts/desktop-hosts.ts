import { type Entry, type Host, jsonFile, program, SIGN_IN } from './entry.ts'
import { commandLine } from './shell-quote.ts'

const base64 = (value: unknown): string => encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'))

const vscodeValue = (entry: Entry) =>
  entry.kind === 'hosted' ? { type: 'http', url: entry.url } : { type: 'stdio', ...program(entry) }
const urlValue = (entry: Entry) => (entry.kind === 'hosted' ? { url: entry.url } : program(entry))

/** Editors and other applications on this computer. */
export const DESKTOP_HOSTS = {
  'claude-desktop': {
    title: 'Claude Desktop',
    reachesLocal: false,
    startsPrograms: true,
    file: ({ claudeDesktop }, entry) =>
      entry.kind === 'stdio' ? jsonFile(claudeDesktop, 'mcpServers', entry, (url) => ({ url })) : undefined,
    steps: (name, entry) =>
      entry.kind === 'hosted'
        ? ['Open Settings, then Connectors, and choose "Add custom connector".', `Name: ${name}`, `URL: ${entry.url}`]
        : [],
    after: (_name, entry) =>
      entry.kind === 'hosted' ? `Choose "Connect". ${SIGN_IN}` : 'Quit Claude Desktop and start it again.',
  },
  vscode: {
    title: 'VS Code',
    reachesLocal: true,
    startsPrograms: true,
    command: (name, entry) => commandLine(['code', '--add-mcp', JSON.stringify({ name, ...vscodeValue(entry) })]),
    link: (name, entry) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...vscodeValue(entry) }))}`,
    file: ({ vscode }, entry) => ({ path: vscode, format: 'json', section: 'servers', value: vscodeValue(entry) }),
    after: (name, entry) =>
      `In the command palette, run "MCP: List Servers" and start ${name}.${entry.kind === 'hosted' ? ` ${SIGN_IN}` : ''}`,
  },
  cursor: {
    title: 'Cursor',
    reachesLocal: true,
    startsPrograms: true,
    link: (name, entry) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${base64(urlValue(entry))}`,
    file: ({ cursor }, entry) => jsonFile(cursor, 'mcpServers', entry, (url) => ({ url })),
    after: (name, entry) =>
      entry.kind === 'hosted' ? `In Cursor's MCP settings, choose "Connect" at ${name}. ${SIGN_IN}` : 'Restart Cursor.',
  },
  windsurf: {
    title: 'Windsurf',
    reachesLocal: true,
    startsPrograms: true,
    file: ({ windsurf }, entry) => jsonFile(windsurf, 'mcpServers', entry, (serverUrl) => ({ serverUrl })),
    after: (name, entry) =>
      `In Windsurf, open the MCP settings of Cascade and refresh ${name}.${entry.kind === 'hosted' ? ` ${SIGN_IN}` : ''}`,
  },
  zed: {
    title: 'Zed',
    reachesLocal: true,
    startsPrograms: true,
    file: ({ zed }, entry) => jsonFile(zed, 'context_servers', entry, (url) => ({ url })),
    after: (name, entry) =>
      `In Zed, open Settings, AI, MCP Servers, and turn ${name} on.${entry.kind === 'hosted' ? ` ${SIGN_IN}` : ''}`,
  },
  cline: {
    title: 'Cline',
    reachesLocal: true,
    startsPrograms: true,
    file: ({ cline }, entry) => jsonFile(cline, 'mcpServers', entry, (url) => ({ type: 'streamableHttp', url })),
    after: (name, entry) =>
      `In Cline, open MCP Servers and choose ${name}.${entry.kind === 'hosted' ? ` ${SIGN_IN}` : ''}`,
  },
  'lm-studio': {
    title: 'LM Studio',
    reachesLocal: true,
    startsPrograms: true,
    link: (name, entry) => `lmstudio://add_mcp?name=${encodeURIComponent(name)}&config=${base64(urlValue(entry))}`,
    file: ({ lmStudio }, entry) => jsonFile(lmStudio, 'mcpServers', entry, (url) => ({ url })),
    after: (name, entry) =>
      `In LM Studio, turn ${name} on under Program.${entry.kind === 'hosted' ? ` ${SIGN_IN}` : ''}`,
  },
} satisfies Record<string, Host>
