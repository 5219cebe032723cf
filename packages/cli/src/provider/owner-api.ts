import { httpFetch } from '@pdpp/mcp-server/client'
import {
  OWNER,
  openStorage,
  prepareDataDirectory,
  readConfig,
  runningServer,
  type ServerConfig,
  TokenService,
} from '@pdpp/server/offline'
import { isNewDirectory, noData } from './require-data.ts'
import { ServerRefusal } from './server-refusal.ts'

export { ServerRefusal } from './server-refusal.ts'

/** Lifetime of the owner tokens that commands create for themselves. */
const COMMAND_TOKEN_MS = 120_000

/** Options of every command that uses the owner's routes. */
export interface OwnerCommandOptions {
  dataDir?: string
  json?: boolean
}

export interface OwnerApi {
  /** Sends an object as JSON. A string is sent unchanged, as NDJSON. */
  request<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>
  /** Sends any number of bytes as a stream. */
  upload<T = Record<string, unknown>>(path: string, bytes: AsyncIterable<Uint8Array>): Promise<T>
  /** True if a GET of the path would succeed, false for 404. */
  exists(path: string): Promise<boolean>
  readonly running: boolean
}

/**
 * Gives `work` the owner's routes: of the running server, or of a server in this process if none runs. So commands pass
 * the same checks as any other request. Only a command that `creates` may begin a new data directory: for all others a
 * mistyped path must not look like a server on which nobody has access.
 */
export async function withOwnerApi<T>(
  options: { dataDir?: string | undefined },
  work: (api: OwnerApi) => Promise<T>,
  { creates = false } = {},
): Promise<T> {
  const config = readConfig({ dataDir: options.dataDir })
  if (!creates && isNewDirectory(config)) throw noData(config)
  prepareDataDirectory(config.dataDir)
  const server = runningServer(config.dataDir)
  if (server) {
    const token = renewingToken(() => mintToken(config, COMMAND_TOKEN_MS))
    return work(api((path, init) => httpFetch(`${server.url}${path}`, init), token, true))
  }
  // Import the server only here, because loading it takes longer than most commands run.
  const { openOffline } = await import('@pdpp/server')
  const offline = await openOffline(config)
  try {
    const token = renewingToken(() => offline.context.tokens.issueOwner(OWNER, COMMAND_TOKEN_MS))
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

/** Creates an owner token directly in the store. Nothing else may write there while a server runs. */
export async function mintToken(config: ServerConfig, lifetimeMs?: number): ReturnType<TokenService['issueOwner']> {
  prepareDataDirectory(config.dataDir)
  const storage = await openStorage(config)
  try {
    return await new TokenService(storage.tokens, storage.grants).issueOwner(OWNER, lifetimeMs)
  } finally {
    await storage.close()
  }
}

/** Creates a new token after half the lifetime of the last one, because an import can take longer than that. */
function renewingToken(mint: () => Promise<{ accessToken: string }>): () => Promise<string> {
  let current: { accessToken: string; at: number } | undefined
  return async () => {
    const now = performance.now()
    if (!current || now - current.at > COMMAND_TOKEN_MS / 2) current = { ...(await mint()), at: now }
    return current.accessToken
  }
}

type RequestBody = string | AsyncIterable<Uint8Array>

type Send = (
  path: string,
  init: { method: string; headers: Record<string, string>; body?: RequestBody },
) => Promise<Response>

/** In-process requests need a web stream as body. */
const streamed = (body: RequestBody | undefined): RequestInit & { duplex?: 'half' } =>
  body === undefined || typeof body === 'string' ? {} : { body: ReadableStream.from(body), duplex: 'half' }

function api(send: Send, token: () => Promise<string>, running: boolean): OwnerApi {
  const bearer = async () => ({ authorization: `Bearer ${await token()}` })
  return {
    running,
    upload: async <T>(path: string, bytes: AsyncIterable<Uint8Array>) =>
      parseAnswer<T>(await send(path, { method: 'POST', headers: await bearer(), body: bytes })),
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
      return parseAnswer<T>(response)
    },
  }
}

async function parseAnswer<T>(response: Response): Promise<T> {
  const text = await response.text()
  const parsed = text === '' ? {} : JSON.parse(text)
  if (!response.ok) throw new ServerRefusal(response.status, parsed.error)
  return parsed as T
}
