/** The known hosts. Any other application that speaks MCP is `other`. */
export const HOST_NAMES = [
  'claude-code',
  'claude-desktop',
  'codex',
  'vscode',
  'cursor',
  'gemini',
  'windsurf',
  'zed',
  'cline',
  'lm-studio',
  'goose',
  'opencode',
  'claude',
  'chatgpt',
  'other',
] as const
export type HostName = (typeof HOST_NAMES)[number]

/** Hosts that are set up with an address. Claude Desktop reaches a local server only through a program. */
export const HOSTED_NAMES = HOST_NAMES.filter((name) => name !== 'claude-desktop')
