// Starts the adapter as a host does, and exchanges messages with it line by line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CredentialCache } from '@pdpp/mcp-server'
import { onTestFinished } from 'vitest'
import { cachedCredential } from '../../conformance/adapter/fixtures/cached-credential.ts'
import { CACHE_ENV, STDIO_ADAPTER } from '../fixtures/built-command.ts'
import { recorded } from './ask.ts'
import type { Request } from './request.ts'
import { filledIn, type World } from './world.ts'

/** Returns a function that sends requests to the adapter process of one holder. */
export function stdioAsker(world: World, holder: string): (request: Request) => Promise<string> {
  const cacheRoot = join(world.dataDir, 'cache')
  const access = { id: holder, token: world.tokens.get(holder)! }
  new CredentialCache(cacheRoot).save(cachedCredential(world.url, access))
  const child = spawn(process.execPath, [STDIO_ADAPTER, '--provider-url', world.url, '--cache-root', cacheRoot], {
    cwd: world.dataDir,
    env: { PATH: process.env['PATH'], ...CACHE_ENV },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(async () => {
    const ended = once(child, 'close')
    child.kill()
    await ended
  })
  const lines = createInterface({ input: child.stdout })
  return async (request) => {
    const answer = once(lines, 'line')
    child.stdin.write(`${filledIn(request.body!, world)}\n`)
    const [line] = await answer
    return recorded(world, request, ['one line'], line)
  }
}
