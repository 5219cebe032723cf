/** The clients that are known; anything else that speaks MCP is `other`. */
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

/** Those with a way of their own to an address: Claude Desktop shares its connectors with the other Claudes. */
export const HOSTED_NAMES = HOST_NAMES.filter((name) => name !== 'claude-desktop')
