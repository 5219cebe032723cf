// The server of the demo owner in this process, over real HTTP. All tests of a file share it.
import { CredentialCache } from '@pdpp/mcp-server/client'
import { OWNER, type RunningServer } from '@pdpp/server'
import { afterAll, beforeAll } from 'vitest'
import { copyDemo } from '../../../tests/fixtures/demo-data.ts'
import { testServer } from '../../../tests/fixtures/server.ts'
import type { Person } from './command.ts'

interface Made {
  readonly grantId: string
  readonly token: string
  readonly clientId: string
}

export interface DemoServer {
  readonly url: string
  readonly server: RunningServer
  /** A request with the owner's token. Throws unless it succeeds. */
  owner(method: string, path: string, body?: unknown): Promise<any>
  /** The owner makes a token for these connections. */
  grant(connections: readonly string[], more?: Record<string, unknown>): Promise<Made>
  revoke(grantId: string): Promise<void>
  /** Gives a person a grant and stores it like `pdpp connect`. */
  connect(person: Person, connections: readonly string[], more?: Record<string, unknown>): Promise<Made>
}

const PASSWORD = 'correct horse battery staple'

export function demoServer(): DemoServer {
  let server: RunningServer
  let ownerToken: string
  let end: () => Promise<void>
  beforeAll(async () => {
    const atEnd = (close: () => Promise<void>) => {
      end = close
    }
    const test = await testServer({ ownerPassword: PASSWORD }, {}, { fill: copyDemo, atEnd })
    server = test.server
    ownerToken = (await server.context.tokens.issueOwner(OWNER)).accessToken
  }, 120_000)
  afterAll(() => end())
  const owner = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as any
    if (!response.ok) throw new Error(JSON.stringify(answer))
    return answer
  }
  const grant = async (connections: readonly string[], more: Record<string, unknown> = {}) => {
    const made = await owner('POST', '/v1/owner/grants', { client_name: 'Test client', connections, ...more })
    return { grantId: made.grant_id as string, token: made.access_token as string, clientId: made.client_id as string }
  }
  return {
    get url() {
      return server.url
    },
    get server() {
      return server
    },
    owner,
    grant,
    revoke: async (grantId) => {
      await owner('POST', `/v1/owner/grants/${grantId}/revoke`, {})
    },
    connect: async (person, connections, more) => {
      const made = await grant(connections, more)
      new CredentialCache(person.env['PDPP_CACHE_ROOT']!).save({
        provider_url: server.url,
        authorization_server: server.url,
        client: { client_id: made.clientId, client_name: 'Test client' },
        credential: { access_token: made.token, token_type: 'Bearer', expires_at: null, grant_id: made.grantId },
        created_at: new Date().toISOString(),
      })
      return made
    },
  }
}
