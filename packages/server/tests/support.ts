import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWNER, type RunningServer, type ServerConfig, startServer } from '@pdpp/server'
import { onTestFinished } from 'vitest'
import { declaration, integer, key, searched, stream, text, time, title } from '../../../tests/fixtures/declaration.ts'
import { serverConfig } from '../../../tests/fixtures/server-config.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: any
}

export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

export interface TestServer {
  readonly server: RunningServer
  readonly owner: Call
  /** Calls with another bearer, or none. */
  as(token: string | undefined): Call
  /** A grant made by the owner, and calls with its token. */
  grant(
    request: Record<string, unknown>,
  ): Promise<{ grantId: string; token: string; get: (path: string) => Promise<Answer> }>
  ingest(stream: string, connectionId: string, records: readonly Record<string, unknown>[]): Promise<Answer>
}

/** A real server over real HTTP on an empty data directory, gone when the test ends. */
export async function testServer(
  changes: Partial<ServerConfig> = {},
  overrides: Parameters<typeof startServer>[1] = {},
): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pdpp-server-'))
  const server = await startServer(serverConfig(dataDir, changes), overrides)
  onTestFinished(async () => {
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const as =
    (token: string | undefined): Call =>
    async (method, path, body, headers = {}) => {
      const raw = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const response = await fetch(server.url + path, {
        method,
        headers: { ...authorization, ...headers },
        ...(raw === undefined ? {} : { body: raw }),
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text.startsWith('{') ? JSON.parse(text) : undefined,
      }
    }
  const owner = as((await server.context.tokens.issueOwner(OWNER)).accessToken)
  return {
    server,
    owner,
    as,
    grant: async (request) => {
      const { status, body, text } = await owner('POST', '/v1/owner/grants', { client_name: 'Test client', ...request })
      if (status !== 201) throw new Error(text)
      const call = as(body.access_token)
      return { grantId: body.grant_id, token: body.access_token, get: (path) => call('GET', path) }
    },
    ingest: (stream, connectionId, records) =>
      owner(
        'POST',
        `/v1/ingest/${stream}?connection_id=${connectionId}`,
        records.map((record) => JSON.stringify(record)).join('\n'),
      ),
  }
}

export const mailDeclaration = declaration('mail', {
  messages: stream(
    {
      id: key(),
      subject: title(),
      body: searched(),
      sender: text(),
      sent_at: time(),
      size: integer(),
      headers: { type: 'object' },
      photo: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
    },
    {
      views: [{ id: 'summary', label: 'Summary', fields: ['id', 'subject', 'sent_at'] }],
      query: { range_filters: { size: ['gte', 'lte'] } },
    },
  ),
  labels: stream({ box: key(), name: key(), colour: text() }, { semantics: 'append_only' }),
})

/** Two mail accounts with the same streams, and what several tests read from them. */
export async function mailServer(...options: Parameters<typeof testServer>): Promise<TestServer> {
  const test = await testServer(...options)
  await test.owner('POST', '/connectors', mailDeclaration)
  await test.owner('POST', '/v1/owner/connections', {
    connector_key: 'mail',
    connection_id: 'home',
    display_name: 'Home mail',
  })
  await test.owner('POST', '/v1/owner/connections', { connector_key: 'mail', connection_id: 'work' })
  return test
}

export function message(n: number, changes: Record<string, unknown> = {}) {
  const id = `m${n}`
  const data = {
    id,
    subject: `Subject ${n}`,
    body: `Body of ${n}`,
    sender: `s${n % 3}`,
    sent_at: at(n),
    size: n * 10,
    ...changes,
  }
  return { key: id, data, emitted_at: '2026-02-01T00:00:00Z' }
}

export const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString()
export const messages = (count: number, from = 0) => Array.from({ length: count }, (_, index) => message(from + index))
