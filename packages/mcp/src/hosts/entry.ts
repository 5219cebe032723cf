import type { ConfigurationFile } from './configuration-text.ts'

/** How a host reaches the data: at the server's address, or through an adapter that the host starts on its machine. */
export type Entry =
  | { readonly kind: 'hosted'; readonly url: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }

export const hostedEntry = (providerUrl: string): Entry => ({ kind: 'hosted', url: `${providerUrl}/mcp` })

/** The folders that contain the configuration files of the hosts. `here` is the current folder. */
export interface Folders {
  readonly here: string
  readonly claudeDesktop: string
  readonly cline: string
  readonly codex: string
  readonly cursor: string
  readonly gemini: string
  readonly lmStudio: string
  readonly openCode: string
  readonly vscode: string
  readonly windsurf: string
  readonly zed: string
}

/** How to set up a host. */
export interface Host {
  readonly title: string
  /** True if the host runs on this machine and can use a local address. */
  readonly reachesLocal: boolean
  /** True if the host can start a program on this machine. */
  readonly startsPrograms: boolean
  /** Commands that do the whole setup, one after the other. */
  command?(name: string, entry: Entry): string | undefined
  /** A link that opens the host and adds the entry there. */
  link?(name: string, entry: Entry): string | undefined
  /** The host's configuration file and the entry to add. */
  file?(folders: Folders, entry: Entry): ConfigurationFile | undefined
  /** Steps in the host's settings, if there is no command and no file. */
  steps?(name: string, entry: Entry): readonly string[]
  /** The next step after the setup. */
  after(name: string, entry: Entry): string
}

type StdioEntry = Extract<Entry, { kind: 'stdio' }>
export const program = ({ command, args }: StdioEntry) => ({ command, args })
export const words = ({ command, args }: StdioEntry): string[] => [command, ...args]
export const SIGN_IN = 'Your browser opens. Choose there what it may read.'

/** A JSON file with the servers under `section`. */
export const jsonFile = (
  path: string,
  section: string,
  entry: Entry,
  hosted: (url: string) => Record<string, unknown>,
  started: (entry: StdioEntry) => Record<string, unknown> = program,
): ConfigurationFile => ({
  path,
  format: 'json',
  section,
  value: entry.kind === 'hosted' ? hosted(entry.url) : started(entry),
})
