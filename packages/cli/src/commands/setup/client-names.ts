/** The clients that `pdpp setup` knows; anything else that speaks MCP is `other`. */
export const CLIENT_NAMES = [
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
