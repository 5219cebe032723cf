import { httpFetch } from '@pdpp/mcp-server/client'
import {
  OWNER,
  openSqliteStorage,
  prepareDataDirectory,
  readConfig,
  runningServer,
  TokenService,
} from '@pdpp/server/offline'
import { ServerRefusal } from './server-refusal.ts'

export { ServerRefusal } from './server-refusal.ts'

const COMMAND_TOKEN_MS = 120_000

export interface OwnerApi {
  /** A body that is a text is sent as it is: NDJSON. */
  request<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>
  /** Bytes of any number, without holding them in memory. */
  upload<T = Record<string, unknown>>(path: string, bytes: AsyncIterable<Uint8Array>): Promise<T>
  /** Whether there is something to read at a path. */
  exists(path: string): Promise<boolean>
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
    const token = renewed(() => mintToken(config.dataDir, COMMAND_TOKEN_MS))
    return work(api((path, init) => httpFetch(`${server.url}${path}`, init), token, true))
  }
  // Loaded only where it is needed: a whole server takes longer to load than most commands to run.
  const { openOffline } = await import('@pdpp/server')
  const offline = await openOffline(config)
  try {
    const token = renewed(() => offline.context.tokens.issueOwner(OWNER, COMMAND_TOKEN_MS))
    const headers = { host: new URL(offline.url).host }
    return await work(
      api(
        async (path, { headers: more, ...init }) =>
          offline.app.request(path, {
            ...init,
            ...streamed(init.body),
            headers: { ...headers, ...more },
          } as RequestInit),
        token,
        false,
      ),
    )
  } finally {
    await offline.close()
  }
}

/** Opens the store directly: the one thing a command may do beside a running server. */
export async function mintToken(dataDir: string, lifetimeMs?: number): ReturnType<TokenService['issueOwner']> {
  prepareDataDirectory(dataDir)
  const storage = openSqliteStorage(dataDir)
  try {
    return await new TokenService(storage.tokens, storage.grants).issueOwner(OWNER, lifetimeMs)
  } finally {
    await storage.close()
  }
}

/** A long import outlives a short token: a new one is made when half of the old one's time is over. */
function renewed(mint: () => Promise<{ accessToken: string }>): () => Promise<string> {
  let current: { accessToken: string; at: number } | undefined
  return async () => {
    const now = performance.now()
    if (!current || now - current.at > COMMAND_TOKEN_MS / 2) current = { ...(await mint()), at: now }
    return current.accessToken
  }
}

type SentBody = string | AsyncIterable<Uint8Array>

type Send = (
  path: string,
  init: { method: string; headers: Record<string, string>; body?: SentBody },
) => Promise<Response>

/** A request that never leaves the process takes bytes as a stream of the web. */
const streamed = (body: SentBody | undefined): RequestInit & { duplex?: 'half' } =>
  body === undefined || typeof body === 'string' ? {} : { body: ReadableStream.from(body), duplex: 'half' }

function api(send: Send, token: () => Promise<string>, running: boolean): OwnerApi {
  const bearer = async () => ({ authorization: `Bearer ${await token()}` })
  return {
    running,
    upload: async <T>(path: string, bytes: AsyncIterable<Uint8Array>) =>
      answered<T>(await send(path, { method: 'POST', headers: await bearer(), body: bytes })),
    exists: async (path) => {
      const { status, ok } = await send(path, { method: 'HEAD', headers: await bearer() })
      if (ok || status === 404) return ok
      throw new ServerRefusal(status, undefined)
    },
    request: async <T>(method: string, path: string, body?: unknown) => {
      const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
      const headers = {
        ...(await bearer()),
        ...(body === undefined ? {} : { 'content-type': type }),
      }
      const response = await send(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return answered<T>(response)
    },
  }
}

async function answered<T>(response: Response): Promise<T> {
  const text = await response.text()
  const parsed = text === '' ? {} : JSON.parse(text)
  if (!response.ok) throw new ServerRefusal(response.status, parsed.error)
  return parsed as T
}
