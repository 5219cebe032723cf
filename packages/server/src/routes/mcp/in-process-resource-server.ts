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
} from '@pdpp/mcp-server'
import type { ClientAuthority, PackageAuthority } from '../../grants/authority.ts'
import type { RequestOrigin } from '../../http/request/request-origin.ts'
import { protectedResource } from '../discovery.ts'
import type { HttpEnvironment, McpSurface } from '../environment.ts'

/** Sends a request to the app of this process. `env` carries values that no header can set. */
export type InProcessFetch = (request: Request, env: HttpEnvironment['Bindings']) => Response | Promise<Response>

/** Method, body and headers of a request. */
interface InProcessInit {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Who reads, and where they stand. */
export interface Reader {
  readonly authority: ClientAuthority | PackageAuthority
  readonly requestOrigin: RequestOrigin
  readonly requestId: string
  readonly surface: McpSurface
}

/**
 * Calls the `/v1` routes without the network, so that every surface passes the same access checks. The surface and the
 * authority of the outer request are in the environment of the call, which no header can set (point 15).
 */
export class InProcessResourceServer implements ResourceServer {
  readonly providerUrl: string
  readonly #fetchInProcess: InProcessFetch
  readonly #authority: Reader['authority']
  readonly #requestOrigin: RequestOrigin
  readonly #requestId: string
  readonly #surface: McpSurface

  constructor(fetch: InProcessFetch, { authority, requestOrigin, requestId, surface }: Reader) {
    this.providerUrl = requestOrigin.origin
    this.#fetchInProcess = fetch
    this.#authority = authority
    this.#requestOrigin = requestOrigin
    this.#requestId = requestId
    this.#surface = surface
  }

  async get(read: Read): Promise<Reply> {
    return this.reply(await this.request(read))
  }

  async getBytes(read: BytesRead): Promise<BytesReply> {
    const response = await this.request(read, { headers: rangeHeader(read) })
    const header = (name: string) => response.headers.get(name) ?? undefined
    if (!response.ok) return { ...(await this.reply(response)), part: undefined, header }
    const part = await takePart(response, read)
    return { status: response.status, body: undefined, requestId: this.#requestId, part, header }
  }

  /** `init` has more than the headers of a read only in the subclass that writes. */
  protected async request({ path, query, tool, prefer, signal }: Read, init: InProcessInit = {}): Promise<Response> {
    const parameters = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
    const request = new Request(`http://in-process${path}${parameters === '' ? '' : `?${parameters}`}`, {
      ...init,
      headers: {
        ...init.headers,
        ...(prefer === undefined ? {} : { prefer }),
        'request-id': this.#requestId,
      },
    })
    const env = {
      pdppSurface: this.#surface,
      pdppAuthority: this.#authority,
      pdppOperation: tool,
      pdppRequestOrigin: this.#requestOrigin,
      pdppSignal: signal,
    }
    return this.#fetchInProcess(request, env)
  }

  protected async reply(response: Response): Promise<Reply> {
    const retryAfter = response.headers.get('retry-after') ?? undefined
    const text = await response.text()
    const body = text === '' ? undefined : parseBody(text)
    return { status: response.status, body, requestId: this.#requestId, retryAfter }
  }

  features(): Promise<ServerFeatures> {
    return SERVER_FEATURES
  }
}

const SERVER_FEATURES = Promise.resolve(readServerFeatures(protectedResource('')))
