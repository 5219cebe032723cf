// A host that knows nothing but the address of /mcp: the official SDK's client with the SDK's own OAuth.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'

interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
  /** A token request with its whole answer, because the SDK keeps only members that it knows. */
  readonly grantType: string | undefined
  readonly answer: any
}

/** The state that a host keeps of one connection, in memory. */
class Kept implements OAuthClientProvider {
  readonly redirectUrl: string
  authorizationUrl: URL | undefined
  information: StoredOAuthClientInformation | undefined
  held: StoredOAuthTokens | undefined
  discovered: OAuthDiscoveryState | undefined
  #verifier = ''

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl
  }

  get clientMetadata() {
    return {
      client_name: 'Example assistant',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  state = () => 'st4te'
  clientInformation = () => this.information
  saveClientInformation = (information: StoredOAuthClientInformation) => {
    this.information = information
  }
  tokens = () => this.held
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.held = tokens
  }
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.discovered = state
  }
  discoveryState = () => this.discovered
}

/** Names no audience, so that the token is for /mcp and for /v1, which the adapter on the user's machine reads. */
class KeptForAll extends Kept {
  validateResourceURL = async () => undefined
}

export interface OAuthAgent {
  readonly client: Client
  /** All that the SDK sent, in its order. */
  readonly exchanges: Exchange[]
  readonly tokens: StoredOAuthTokens
  /** The latest answer of the token endpoint. */
  readonly granted: any
  readonly clientId: string
  call(tool: string, args?: object): Promise<{ text: string; structured: any; isError: boolean }>
  close(): Promise<void>
}

/** Connects like a host. `decide` is the owner, who gets an address and comes back at another. */
export async function connectWithOAuth(
  origin: string,
  revision: string,
  decide: (url: URL, back: string) => Promise<URL>,
  path: '/mcp' | '/mcp/developer' = '/mcp',
): Promise<OAuthAgent> {
  const landing = createServer((_request, response) => response.end('Done')).listen(0, '127.0.0.1')
  await once(landing, 'listening')
  const back = `http://127.0.0.1:${(landing.address() as AddressInfo).port}/back`
  // At the other address the token is for the name in its metadata, as with every host.
  const kept = path === '/mcp' ? new KeptForAll(back) : new Kept(back)
  const exchanges: Exchange[] = []
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(path, origin), { authProvider: kept, fetch: recording(exchanges) })
  const clientOf = () =>
    new Client(
      { name: 'example-assistant', version: '1' },
      revision === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: revision } } },
    )
  const first = transport()
  const refused = await clientOf()
    .connect(first)
    .then(
      () => undefined,
      (error: unknown) => error,
    )
  if (!(refused instanceof UnauthorizedError)) throw new Error(`not asked to sign in: ${refused}`)
  const answer = await decide(kept.authorizationUrl!, back)
  if (answer.searchParams.get('state') !== 'st4te') throw new Error('the state did not come back')
  await first.finishAuth(answer.searchParams)
  await first.close()
  const client = clientOf()
  await client.connect(transport())
  return {
    client,
    exchanges,
    get tokens() {
      return kept.held!
    },
    get granted() {
      return exchanges.findLast(({ answer }) => answer !== undefined)?.answer
    },
    clientId: kept.information!.client_id,
    call: async (tool, args = {}) => {
      const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: { ...args } })
      const { text } = (content as { text: string }[])[0]!
      return { text, structured: structuredContent, isError: isError === true }
    },
    close: async () => {
      await client.close()
      landing.close()
    },
  }
}

function recording(exchanges: Exchange[]): typeof fetch {
  return async (input, init) => {
    const request = new Request(input as string | URL, init)
    const body = init?.body instanceof URLSearchParams ? init.body : undefined
    const response = await fetch(request)
    const path = new URL(request.url).pathname
    exchanges.push({
      method: request.method,
      path,
      status: response.status,
      grantType: body?.get('grant_type') ?? undefined,
      answer: path === '/oauth/token' ? await response.clone().json() : undefined,
    })
    return response
  }
}
