import type { ServerResponse } from 'node:http'
import {
  type BytesRead,
  type BytesReply,
  parseBody,
  type Read,
  type Reply,
  type ResourceServer,
  rangeHeader,
  readServerFeatures,
  type ServerFeatures,
  takePart,
  withSource,
} from '@pdpp/mcp-server'
import type { ClientAuthority, PackageAuthority } from '../../grants/authority.ts'
import type { DirectContext, DirectRequestParts } from '../../http/direct/direct-context.ts'
import type { RequestOrigin } from '../../http/request/request-origin.ts'
import { protectedResource } from '../discovery.ts'
import type { HttpEnvironment, McpSurface } from '../environment.ts'

/** The app of this process. The environment of a request carries values that no header can set. */
export interface InProcessApp {
  fetch(request: Request, env: HttpEnvironment['Bindings']): Response | Promise<Response>
  /** Does the same for frequent reads, without the objects of the Fetch standard. Undefined for other requests. */
  direct(parts: DirectRequestParts): Promise<DirectContext | undefined>
}

/** Method, body and headers of a request. */
interface InProcessInit {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** The access of the caller, and the surface that the request came from. */
export interface Reader {
  readonly authority: ClientAuthority | PackageAuthority
  readonly requestOrigin: RequestOrigin
  readonly requestId: string
  readonly surface: McpSurface
  /** Node's response to the outer request. It shows whether the client is still connected. */
  readonly response: ServerResponse | undefined
}

/**
 * Calls the `/v1` routes without the network, so that every surface passes the same access checks. The surface and the
 * authority of the outer request are in the environment of the call, which no header can set (point 15).
 */
export class InProcessResourceServer implements ResourceServer {
  readonly providerUrl: string
  readonly #app: InProcessApp
  readonly #authority: Reader['authority']
  readonly #requestOrigin: RequestOrigin
  readonly #requestId: string
  readonly #surface: McpSurface
  readonly #response: ServerResponse | undefined

  constructor(app: InProcessApp, { authority, requestOrigin, requestId, surface, response }: Reader) {
    this.providerUrl = requestOrigin.origin
    this.#app = app
    this.#authority = authority
    this.#requestOrigin = requestOrigin
    this.#requestId = requestId
    this.#surface = surface
    this.#response = response
  }

  async get(read: Read): Promise<Reply> {
    const headers = { ...preferOf(read), 'request-id': this.#requestId }
    const c = await this.#app.direct({ target: targetOf(read), headers, env: this.#env(read) })
    if (!c?.answer) return this.reply(await this.request(read))
    const { status, body } = c.answer
    const value = c.error ? undefined : c.get('bodyValue')
    if (value !== undefined) {
      const isPlain = c.get('isPlainBody') as boolean | undefined
      return { status, body: withSource(value as object, body, isPlain), requestId: this.#requestId }
    }
    return this.#replyOf(status, body, c.headers['retry-after'])
  }

  async getBytes(read: BytesRead): Promise<BytesReply> {
    const response = await this.request(read, { headers: rangeHeader(read) })
    const header = (name: string) => response.headers.get(name) ?? undefined
    if (!response.ok) return { ...(await this.reply(response)), part: undefined, header }
    const part = await takePart(response, read)
    return { status: response.status, body: undefined, requestId: this.#requestId, part, header }
  }

  /** Only the subclass that writes passes more than headers in `init`. */
  protected async request(read: Read, init: InProcessInit = {}): Promise<Response> {
    const request = new Request(`http://in-process${targetOf(read)}`, {
      ...init,
      headers: { ...init.headers, ...preferOf(read), 'request-id': this.#requestId },
    })
    return this.#app.fetch(request, this.#env(read))
  }

  protected async reply(response: Response): Promise<Reply> {
    return this.#replyOf(response.status, await response.text(), response.headers.get('retry-after') ?? undefined)
  }

  #replyOf(status: number, text: string, retryAfter: string | undefined): Reply {
    return { status, body: text === '' ? undefined : parseBody(text), requestId: this.#requestId, retryAfter }
  }

  #env({ tool, signal }: Read) {
    return {
      pdppSurface: this.#surface,
      pdppAuthority: this.#authority,
      pdppOperation: tool,
      pdppRequestOrigin: this.#requestOrigin,
      pdppSignal: signal,
      pdppResponse: this.#response,
    }
  }

  features(): Promise<ServerFeatures> {
    return SERVER_FEATURES
  }
}

function targetOf({ path, query }: Read): string {
  const parameters = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
  return parameters === '' ? path : `${path}?${parameters}`
}

const preferOf = ({ prefer }: Read) => (prefer === undefined ? {} : { prefer })

const SERVER_FEATURES = Promise.resolve(readServerFeatures(protectedResource('')))
