/** How a host reaches the data: the server's address, or an adapter that the host starts on its machine. */
export type Entry =
  | { readonly kind: 'hosted'; readonly url: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }

export const hostedEntry = (providerUrl: string): Entry => ({ kind: 'hosted', url: `${providerUrl}/mcp` })

/** The configuration files of the hosts. `here` is the current folder. */
export interface Folders {
  readonly here: string
  readonly claudeDesktop: string
  readonly codex: string
  readonly cursor: string
  readonly vscode: string
  readonly gemini: string
}
