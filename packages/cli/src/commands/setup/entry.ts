import { resolve } from 'node:path'
import { readEnvironment } from '@pdpp/mcp-server/client'
import type { Entry } from '@pdpp/mcp-server/hosts'
import { programCommand } from '../../invocation.ts'

/** No token, grant or credential is in it. */
export function stdioEntry(providerUrl: string): Entry {
  const { command, args } = programCommand()
  // The client's own environment will not say where this shell keeps its tokens.
  const { cacheRoot } = readEnvironment()
  const where = cacheRoot ? ['--cache-root', resolve(cacheRoot)] : []
  return { kind: 'stdio', command, args: [...args, 'mcp', ...where, providerUrl] }
}
