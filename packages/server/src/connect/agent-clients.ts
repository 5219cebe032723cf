/**
 * One recommended way for each client that people use, with nothing but this server's address in it: the client
 * registers itself, and what it may read is chosen on the consent page (000.1).
 */
export interface AgentClient {
  readonly id: string
  readonly title: string
  /** Whether it calls from this computer: then a server on this computer will do. */
  readonly reachesLocal: boolean
  /** One command that does it all. */
  readonly command?: string
  /** What goes into its own file, where there is no command. */
  readonly file?: { readonly path: string; readonly text: string }
  /** What to click, where there is nothing to run. */
  readonly steps?: readonly string[]
  readonly after: string
}

const SIGN_IN = 'A browser opens: sign in there, and choose what it may read.'

export function agentClients(address: string, name = 'pdpp'): readonly AgentClient[] {
  const json = (value: unknown) => JSON.stringify(value, null, 2)
  return [
    {
      id: 'claude',
      title: 'Claude (web, desktop, phone)',
      reachesLocal: false,
      steps: ['Open Settings, then Connectors, and choose "Add custom connector".', `Name: ${name}`, `URL: ${address}`],
      after: `Choose "Connect". ${SIGN_IN}`,
    },
    {
      id: 'claude-code',
      title: 'Claude Code',
      reachesLocal: true,
      command: `claude mcp add --transport http --scope user ${name} ${address}`,
      after: `In Claude Code, type /mcp and choose ${name}. ${SIGN_IN}`,
    },
    {
      id: 'chatgpt',
      title: 'ChatGPT',
      reachesLocal: false,
      steps: [
        'Open Settings, then Apps & Connectors, and turn on Developer mode under Advanced settings.',
        'Choose "Create".',
        `Name: ${name}`,
        `MCP server URL: ${address}`,
        'Authentication: OAuth',
      ],
      after: `Choose "Create" again. ${SIGN_IN}`,
    },
    {
      id: 'codex',
      title: 'Codex',
      reachesLocal: true,
      command: `codex mcp add ${name} --url ${address} && codex mcp login ${name}`,
      after: `${SIGN_IN} Afterwards /mcp shows it in Codex.`,
    },
    {
      id: 'cursor',
      title: 'Cursor',
      reachesLocal: true,
      file: { path: '~/.cursor/mcp.json', text: json({ mcpServers: { [name]: { url: address } } }) },
      after: `Restart Cursor, open its MCP settings and choose "Connect" at ${name}. ${SIGN_IN}`,
    },
    {
      id: 'vscode',
      title: 'VS Code',
      reachesLocal: true,
      command: `code --add-mcp '${JSON.stringify({ name, type: 'http', url: address })}'`,
      after: `Run "MCP: List Servers" in the command palette and start ${name}. ${SIGN_IN}`,
    },
    {
      id: 'gemini',
      title: 'Gemini CLI',
      reachesLocal: true,
      command: `gemini mcp add --scope user --transport http ${name} ${address}`,
      after: `In Gemini CLI, type /mcp auth ${name}. ${SIGN_IN}`,
    },
    {
      id: 'other',
      title: 'Any other MCP client',
      reachesLocal: true,
      steps: [
        `Name: ${name}`,
        'Transport: Streamable HTTP',
        `URL: ${address}`,
        'Authentication: OAuth (the client registers itself)',
      ],
      after: `Connect it. ${SIGN_IN}`,
    },
  ]
}
