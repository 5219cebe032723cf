import { resolve } from 'node:path'
import { readEnvironment } from '@pdpp/mcp-server/client'
import type { Entry } from '@pdpp/mcp-server/hosts'
import { programCommand } from '../../invocation.ts'

/**
 * How a host starts the adapter. Contains no token and no other secret. With a grant, the adapter always uses that
 * grant, even if another agent on this machine connects later.
 */
export function stdioEntry(providerUrl: string, grantId: string | undefined): Entry {
  const { command, args } = programCommand()
  // The host does not have the environment of this shell, so pass the cache folder as a flag.
  const { cacheRoot } = readEnvironment()
  const where = cacheRoot ? ['--cache-root', resolve(cacheRoot)] : []
  const pinned = grantId === undefined ? [] : ['--grant', grantId]
  return { kind: 'stdio', command, args: [...args, 'mcp', ...where, ...pinned, providerUrl] }
}
