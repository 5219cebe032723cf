import {
  OWNER,
  openOffline,
  openSqliteStorage,
  prepareDataDirectory,
  readConfig,
  runningServer,
  TokenService,
} from '@pdpp/server'
import { ServerRefusal } from './server-refusal.ts'

export { ServerRefusal } from './server-refusal.ts'

const COMMAND_TOKEN_MS = 120_000

export interface OwnerApi {
  request<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>
  readonly running: boolean
}

/**
 * The owner's routes: of the running server, or of the same server opened in this process when none runs. Either
 * way a command goes through the same checks as anybody's request.
 */
export async function withOwnerApi<T>(
  options: { dataDir?: string | undefined },
  work: (api: OwnerApi) => Promise<T>,
): Promise<T> {
  const config = readConfig({ dataDir: options.dataDir })
  prepareDataDirectory(config.dataDir)
  const server = runningServer(config.dataDir)
  if (server) {
    const token = await mintToken(config.dataDir, COMMAND_TOKEN_MS)
    return work(api((path, init) => fetch(`${server.url}${path}`, init), token.accessToken, true))
  }
  const offline = await openOffline(config)
  try {
    const { accessToken } = await offline.context.tokens.issueOwner(OWNER, COMMAND_TOKEN_MS)
    const headers = { host: '127.0.0.1' }
    return await work(
      api(
        async (path, init) => offline.app.request(path, { ...init, headers: { ...headers, ...init.headers } }),
        accessToken,
        false,
      ),
    )
  } finally {
    await offline.close()
  }
}

/** Opens the store directly: the one thing a command may do beside a running server. */
export async function mintToken(dataDir: string, lifetimeMs?: number) {
  prepareDataDirectory(dataDir)
  const storage = openSqliteStorage(dataDir)
  try {
    return await new TokenService(storage.tokens).issueOwner(OWNER, lifetimeMs)
  } finally {
    await storage.close()
  }
}

type Send = (
  path: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<Response>

function api(send: Send, token: string, running: boolean): OwnerApi {
  return {
    running,
    request: async <T>(method: string, path: string, body?: unknown) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const response = await send(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const parsed = text === '' ? {} : JSON.parse(text)
      if (!response.ok) throw new ServerRefusal(response.status, parsed.error)
      return parsed as T
    },
  }
}
