// A real server with the data that a test chooses, and its hosted adapter as a client sees it. Used by tests and by
// bench.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireDeclaration } from '@pdpp/protocol'
import { OWNER, type RunningServer, type ServerConfig, startServer } from '@pdpp/server'
import { placeEmptyStore } from '../fixtures/empty-store.ts'
import { storeConfig } from '../fixtures/test-store.ts'

export interface Feed {
  readonly connection: string
  readonly stream: string
  readonly records: readonly { readonly key: string | readonly string[]; readonly data: Record<string, unknown> }[]
}

export interface Source {
  readonly declaration: { readonly connector_key: string; readonly [member: string]: unknown }
  readonly connections: readonly { readonly id: string; readonly name?: string }[]
  readonly feeds: readonly Feed[]
}

export interface ToolAnswer {
  readonly text: string
  readonly structured: Record<string, any>
  readonly isError: boolean
}

export interface AdapterServer {
  readonly server: RunningServer
  readonly url: string
  readonly dataDir: string
  /** Reads everything: one grant for each source, in a package if there are several. */
  readonly token: string
  call(tool: string, args?: object): Promise<ToolAnswer>
  /** One JSON-RPC message of the current revision, as it is answered. */
  request(method: string, params?: object): Promise<any>
  close(): Promise<void>
}

/**
 * Data: the year of the invented owner, or sources of the test. `fill` fills the data directory before the start. If it
 * copies the demo, the demo is not loaded again.
 */
export async function startAdapter(
  data: 'demo' | readonly Source[],
  options: Partial<ServerConfig> = {},
  fill: (dataDir: string) => void | Promise<void> = placeEmptyStore,
): Promise<AdapterServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pdpp-adapter-'))
  await fill(dataDir)
  const server = await startServer(await storeConfig(dataDir, options))
  if (data !== 'demo') for (const source of data) await load(server, source)
  else if (!(await server.context.demo.isLoaded())) await server.context.demo.load()
  const token = await tokenForAll(server)
  const request = (method: string, params: object = {}) => post(server.url, token, method, params)
  return {
    server,
    url: server.url,
    dataDir,
    token,
    request,
    call: async (tool, args = {}) => {
      const { result, error } = await request('tools/call', { name: tool, arguments: args })
      if (error) throw new Error(`${tool}: ${JSON.stringify(error)}`)
      return { text: result.content[0].text, structured: result.structuredContent, isError: result.isError === true }
    },
    close: async () => {
      await server.close()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function load({ context }: RunningServer, { declaration, connections, feeds }: Source): Promise<void> {
  await context.storage.sources.declare(OWNER, requireDeclaration(declaration))
  const connectorKey = declaration.connector_key
  for (const { id, name } of connections)
    await context.connections.create(OWNER, { connectorKey, connectionId: id, displayName: name })
  for (const { connection, stream, records } of feeds) {
    const rows = records.map((record) => ({ ...record, emitted_at: '2026-02-01T00:00:00Z' }))
    const target = { subjectId: OWNER, connectorKey, connectionId: connection, stream }
    const { rejected, rejections } = await context.ingest.ingestRows(target, rows)
    if (rejected > 0) throw new Error(`${connection}/${stream}: ${JSON.stringify(rejections[0])}`)
  }
}

async function tokenForAll({ context }: RunningServer): Promise<string> {
  const connections = await context.storage.connections.list(OWNER)
  const bySource = Map.groupBy(connections, ({ connectorKey }) => connectorKey)
  const requests = [...bySource.values()].map((own) => ({
    clientName: 'Test host',
    connections: own.map(({ connectionId }) => connectionId),
    singleUse: false,
    purposeCode: 'https://pdpp.dev/purpose/agent_context',
  }))
  if (requests.length === 1) return (await context.issuer.grant(OWNER, requests[0]!)).token.accessToken
  const grants = []
  for (const request of requests) grants.push(await context.grants.create(OWNER, request))
  const grantIds = grants.map(({ grant_id }) => grant_id)
  return (await context.issuer.package(OWNER, { grantIds, clientName: 'Test host' })).token.accessToken
}

let nextId = 0

async function post(url: string, token: string, method: string, params: object): Promise<any> {
  const name = (params as { name?: string }).name
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++nextId, method, params: { ...params, _meta: ENVELOPE } }),
  })
  return response.json()
}

/** The description of the client in every request of the current revision. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test-host', version: '1.0.0' },
}
