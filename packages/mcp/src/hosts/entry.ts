/** How a client reaches the data: the server's own address, or the adapter that it starts on its machine. */
export type Entry =
  | { readonly kind: 'hosted'; readonly url: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }

export const hostedEntry = (providerUrl: string): Entry => ({ kind: 'hosted', url: `${providerUrl}/mcp` })

/** Where clients keep their configuration. */
export interface Folders {
  readonly here: string
  readonly claudeDesktop: string
  readonly codex: string
  readonly cursor: string
  readonly vscode: string
  readonly gemini: string
}
