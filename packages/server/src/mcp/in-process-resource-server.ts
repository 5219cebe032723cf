import { type Advertised, type Read, type Reply, type ResourceServer, readAdvertised } from '@pdpp/mcp-server'
import { parseJson } from '@pdpp/protocol'
import type { App } from '../app.ts'
import type { Arrival } from '../http/origin.ts'
import { protectedResource } from '../routes/discovery.ts'

/**
 * The same `/v1` routes without the network, with the caller's own bearer: one enforcement path for every surface.
 * That the reader stands at /mcp is said in the environment of the call, which no header can imitate (point 15).
 */
export class InProcessResourceServer implements ResourceServer {
  readonly providerUrl: string
  readonly #app: App
  readonly #authorization: string
  readonly #arrival: Arrival
  readonly #requestId: string

  constructor(app: App, authorization: string, arrival: Arrival, requestId: string) {
    this.providerUrl = arrival.origin
    this.#app = app
    this.#authorization = authorization
    this.#arrival = arrival
    this.#requestId = requestId
  }

  async get({ path, query, tool, signal }: Read): Promise<Reply> {
    const parameters = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
    const request = new Request(`http://in-process${path}${parameters === '' ? '' : `?${parameters}`}`, {
      headers: { authorization: this.#authorization, 'request-id': this.#requestId },
    })
    const env = { pdppSurface: 'mcp' as const, pdppOperation: tool, pdppArrival: this.#arrival, pdppSignal: signal }
    const response = await this.#app.fetch(request, env)
    return { status: response.status, body: parseJson(await response.text()), requestId: this.#requestId }
  }

  advertised(): Promise<Advertised> {
    return ADVERTISED
  }
}

const ADVERTISED = Promise.resolve(readAdvertised(protectedResource('')))
