import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

/** An answer as text, before it is sent. */
export interface DirectAnswer {
  readonly status: number
  readonly body: string
  /** True if there is no body at all, so that it has no size either. */
  readonly hasNoBody: boolean
}

export interface DirectRequestParts {
  /** GET if absent. */
  readonly method?: 'POST'
  /** As sent, with its query. */
  readonly target: string
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly env: Readonly<Record<string, unknown>> & { incoming?: IncomingMessage; outgoing?: ServerResponse }
}

/** Cached lower-case names, because there are few different ones. */
const LOWER = new Map<string, string>()

function lowerCased(name: string): string {
  const known = LOWER.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  LOWER.set(name, lower)
  return lower
}

/** URLs are only created to read their path and query, so any host will do. */
const ORIGIN = 'http://direct'

class DirectRequest {
  readonly path: string
  readonly #parts: DirectRequestParts
  readonly #params: Readonly<Record<string, string>>

  constructor(parts: DirectRequestParts, path: string, params: Readonly<Record<string, string>>) {
    this.#parts = parts
    this.path = path
    this.#params = params
  }

  get method(): string {
    return this.#parts.method ?? 'GET'
  }

  get url(): string {
    return ORIGIN + this.#parts.target
  }

  get raw() {
    const { incoming, outgoing } = this.#parts.env
    return {
      signal: { aborted: outgoing?.destroyed === true },
      // The connection stays open if its body is not read to the end, because the answer is sent over it.
      get body() {
        return incoming!.iterator({ destroyOnReturn: false })
      },
      get headers() {
        return fetchHeaders(incoming!)
      },
    }
  }

  text(): Promise<string> {
    return readText(this.#parts.env.incoming!)
  }

  header(name: string): string | undefined {
    const value = this.#parts.headers[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : value
  }

  param(name: string): string | undefined {
    return this.#params[name]
  }

  query(name: string): string | undefined {
    const { target } = this.#parts
    // A name that does not occur literally may still occur percent-encoded.
    if (!target.includes(name) && !target.includes('%')) return
    return new URL(this.url).searchParams.get(name) ?? undefined
  }
}

/**
 * The part of Hono's context that reads use. It works on Node's own request and avoids the objects of the Fetch
 * standard, which cost more than the rest of a small read.
 */
export class DirectContext {
  readonly req: DirectRequest
  readonly env: DirectRequestParts['env']
  readonly var: Record<string, unknown> = {}
  readonly headers: Record<string, string> = {}
  error: Error | undefined
  answer: DirectAnswer | undefined

  constructor(parts: DirectRequestParts, path: string, params: Readonly<Record<string, string>>) {
    this.req = new DirectRequest(parts, path, params)
    this.env = parts.env
  }

  get(name: string): unknown {
    return this.var[name]
  }

  set(name: string, value: unknown): void {
    this.var[name] = value
  }

  /** The size of a body. Reads have measured theirs already. */
  bytesOf(body: string): number {
    return this.var['measuredBody'] === body ? (this.var['bytes'] as number) : Buffer.byteLength(body)
  }

  header(name: string, value: string): void {
    this.headers[lowerCased(name)] = value
  }

  body(body: string | null, status = 200, headers: Readonly<Record<string, string>> = {}): DirectAnswer {
    for (const name in headers) this.header(name, headers[name]!)
    return { status, body: body ?? '', hasNoBody: body === null }
  }

  newResponse(body: string | null, status: number, headers: Readonly<Record<string, string>>): DirectAnswer {
    return this.body(body, status, headers)
  }

  json(value: unknown, status = 200): DirectAnswer {
    return this.body(JSON.stringify(value), status, { 'content-type': 'application/json' })
  }
}

const BYTE_ORDER_MARK = '\ufeff'

/** The whole body of a request as text, as the Fetch standard decodes it. The caller has checked its declared size. */
export function readText(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const text = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')
      resolve(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
    })
    incoming.on('error', reject)
    // A connection that ends in the middle of a body reports no error if it was destroyed on this side. An error is
    // only made if it is needed, because that takes as long as parsing the body.
    incoming.on('close', () => {
      if (!incoming.readableEnded) reject(new Error('The body did not arrive completely.'))
    })
  })
}

/** The headers as an object of the Fetch standard. */
function fetchHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const name in headersDistinct) for (const value of headersDistinct[name]!) headers.append(name, value)
  return headers
}
