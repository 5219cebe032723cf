import { resolve } from 'node:path'
import { readEnvironment } from '@pdpp/mcp-server/client'
import type { Entry } from '@pdpp/mcp-server/hosts'
import { programCommand } from '../../invocation.ts'

/** How a host starts the adapter. Contains no token and no other secret. */
export function stdioEntry(providerUrl: string): Entry {
  const { command, args } = programCommand()
  // The host does not have the environment of this shell, so pass the cache folder as a flag.
  const { cacheRoot } = readEnvironment()
  const where = cacheRoot ? ['--cache-root', resolve(cacheRoot)] : []
  return { kind: 'stdio', command, args: [...args, 'mcp', ...where, providerUrl] }
}
