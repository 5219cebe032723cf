/** The known hosts. Any other application that speaks MCP is `other`. */
export const HOST_NAMES = [
  'claude',
  'claude-code',
  'claude-desktop',
  'chatgpt',
  'codex',
  'cursor',
  'vscode',
  'gemini',
  'other',
] as const
export type HostName = (typeof HOST_NAMES)[number]

/** Hosts that are set up with an address. Claude Desktop shares its connectors with `claude`. */
export const HOSTED_NAMES = HOST_NAMES.filter((name) => name !== 'claude-desktop')
