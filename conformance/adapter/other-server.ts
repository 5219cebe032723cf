// Small real HTTP servers that behave as other implementations, or networks, do.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CachedCredential, CredentialCache } from '@pdpp/mcp-server'
import { onTestFinished } from 'vitest'
import { type Agent, type AgentKind, connectAgent, type Entry } from './agent.ts'
import { cachedCredential } from './cached-credential.ts'

export interface Asked {
  readonly path: string
  readonly query: URLSearchParams
  readonly authorization: string | undefined
  readonly body: string
}

export interface Told {
  readonly status?: number
  readonly headers?: Record<string, string>
  /** An object becomes JSON. */
  readonly body: unknown
}

/** Undefined: there is no answer, ever. */
export type Answers = (asked: Asked) => Told | undefined | Promise<Told | undefined>

export interface OtherServer {
  readonly url: string
  readonly asked: Asked[]
  /** How many callers gave up before they were answered. */
  readonly abandoned: () => number
}

/** What adapters ask first is not among `asked`, unless the server says nothing of it. */
export async function otherServer(
  answers: Answers,
  { tellsKind = true }: { tellsKind?: boolean } = {},
): Promise<OtherServer> {
  const asked: Asked[] = []
  let abandoned = 0
  const server = createServer(async (request, response) => {
    response.once('close', () => {
      if (!response.writableFinished) abandoned++
    })
    if (tellsKind && request.headers['prefer'] === 'return=minimal')
      return response.end(JSON.stringify({ object: 'schema', bearer: { token_kind: 'client' } }))
    const url = new URL(request.url!, 'http://other')
    const call = {
      path: url.pathname,
      query: url.searchParams,
      authorization: request.headers.authorization,
      body: await bodyOf(request),
    }
    asked.push(call)
    const told = await answers(call)
    if (told === undefined) return
    const text = typeof told.body === 'string' ? told.body : JSON.stringify(told.body)
    response.writeHead(told.status ?? 200, { 'content-type': 'application/json', ...told.headers }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, abandoned: () => abandoned }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const OTHER_TOKEN = { id: 'grt_other', token: 'a1b2c3d4e5f60718' }

export interface Cached {
  readonly dataDir: string
  readonly cacheRoot: string
  readonly credential: CachedCredential
}

/** A cache with one grant at this server, gone when the test ends. */
export function cacheFor(url: string, credential: Partial<CachedCredential['credential']> = {}): Cached {
  const dataDir = mkdtempSync(join(tmpdir(), 'pdpp-other-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const cacheRoot = join(dataDir, 'cache')
  const saved = cachedCredential(url, OTHER_TOKEN, credential)
  new CredentialCache(cacheRoot).save(saved)
  return { dataDir, cacheRoot, credential: saved }
}

/** The stdio adapter in front of that server, and a client of it. */
export async function agentOf(
  url: string,
  { dataDir, cacheRoot }: Cached = cacheFor(url),
  kind: AgentKind = 'stdio 2026-07-28',
  entry: Entry = 'normal',
): Promise<Agent> {
  const place = { server: { url }, proxy: { url }, cacheRoot, dataDir }
  const agent = await connectAgent(kind, place, OTHER_TOKEN, entry)
  onTestFinished(() => agent.close())
  return agent
}
