import { join, resolve } from 'node:path'
import { readEnvironment } from '@pdpp/mcp-server/client'

/** How a client reaches the data: the server's own address, or the adapter that it starts on this machine. */
export type Entry =
  | { readonly kind: 'hosted'; readonly url: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }

export const hostedEntry = (providerUrl: string): Entry => ({ kind: 'hosted', url: `${providerUrl}/mcp` })

/** Absolute paths: a client on a desktop does not know the PATH of a shell. No token, grant or credential is in it. */
export function stdioEntry(providerUrl: string): Entry {
  const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'pdpp.mjs')
  // The client's own environment will not say where this shell keeps its tokens.
  const { cacheRoot } = readEnvironment()
  const where = cacheRoot ? ['--cache-root', resolve(cacheRoot)] : []
  return { kind: 'stdio', command: process.execPath, args: [bin, 'mcp', ...where, providerUrl] }
}
