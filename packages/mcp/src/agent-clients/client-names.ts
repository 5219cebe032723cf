/** The clients that are known; anything else that speaks MCP is `other`. */
export const CLIENT_NAMES = [
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
export type ClientName = (typeof CLIENT_NAMES)[number]

/** Those with a way of their own to an address: Claude Desktop shares its connectors with the other Claudes. */
export const HOSTED_NAMES = CLIENT_NAMES.filter((name) => name !== 'claude-desktop')
