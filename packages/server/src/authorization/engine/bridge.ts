import { type IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/** The parts of a request that the engine reads. We build them, so the engine uses the origin that we determined. */
export interface BridgedRequest {
  readonly method: string
  readonly origin: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly address: string
}

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Calls a Node request handler without a socket and collects its response. The engine is thus behind the same guards,
 * limits and headers as every other route, and no body is read twice.
 */
export function callNodeHandler(handler: NodeHandler, bridged: BridgedRequest): Promise<Response> {
  const request = nodeRequest(bridged)
  return new Promise((resolve, reject) => {
    const response = new CollectedResponse(request, resolve)
    try {
      handler(request, response)
    } catch (error) {
      reject(error)
    }
  })
}

function nodeRequest({ method, origin, url, headers, body, address }: BridgedRequest): IncomingMessage {
  const { host, protocol } = new URL(origin)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const request = Readable.from(body === undefined ? [] : [Buffer.from(body)], { objectMode: false })
  return Object.assign(request, {
    method,
    url,
    headers: { ...headers, ...length, host },
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket: { remoteAddress: address, encrypted: protocol === 'https:', writable: true },
  }) as unknown as IncomingMessage
}

class CollectedResponse extends ServerResponse {
  readonly #chunks: Buffer[] = []
  readonly #done: (response: Response) => void

  constructor(request: IncomingMessage, done: (response: Response) => void) {
    super(request)
    this.#done = done
  }

  override write(chunk: unknown): boolean {
    this.#chunks.push(Buffer.from(chunk as string))
    return true
  }

  override end(chunk?: unknown): this {
    if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') this.write(chunk)
    const headers = new Headers()
    for (const [name, value] of Object.entries(this.getHeaders())) {
      for (const each of Array.isArray(value) ? value : [value]) headers.append(name, String(each))
    }
    const body = this.#chunks.length === 0 ? null : Buffer.concat(this.#chunks)
    this.#done(new Response(body, { status: this.statusCode, headers }))
    this.emit('finish')
    return this
  }
}
