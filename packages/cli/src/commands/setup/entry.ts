import { resolve } from 'node:path'
import { readEnvironment } from '@pdpp/mcp-server/client'
import { programCommand } from '../../invocation.ts'

/** How a client reaches the data: the server's own address, or the adapter that it starts on this machine. */
export type Entry =
  | { readonly kind: 'hosted'; readonly url: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }

export const hostedEntry = (providerUrl: string): Entry => ({ kind: 'hosted', url: `${providerUrl}/mcp` })

/** No token, grant or credential is in it. */
export function stdioEntry(providerUrl: string): Entry {
  const { command, args } = programCommand()
  // The client's own environment will not say where this shell keeps its tokens.
  const { cacheRoot } = readEnvironment()
  const where = cacheRoot ? ['--cache-root', resolve(cacheRoot)] : []
  return { kind: 'stdio', command, args: [...args, 'mcp', ...where, providerUrl] }
}
