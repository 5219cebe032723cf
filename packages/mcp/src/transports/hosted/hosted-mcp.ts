import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Entrypoint } from '../../calling/entrypoint.ts'
import { identity, mcpServer } from '../../entrypoints/mcp-server.ts'
import type { ResourceServer } from '../../resource-server/resource-server.ts'
import { answerOnFastPath } from './fast-path.ts'

export interface HostedCall<Resources extends ResourceServer = ResourceServer> {
  readonly entrypoint: Entrypoint<Resources>
  readonly url: string
  /** All headers. Called only when the SDK answers, because building them costs more than a fast-path answer. */
  readonly headers: () => Headers
  readonly header: (name: string) => string | undefined
  /** The complete body. The caller limits its size. */
  readonly body: string
  readonly resources: Resources
  /**
   * Aborts when the client disconnects. Called only when the SDK answers or a stream is opened; `resources` notices a
   * disconnected client itself.
   */
  readonly signal: () => AbortSignal
}

/** An answer whose body is one JSON text or empty. Web servers send plain strings fastest. */
export interface HostedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Answers `POST /mcp` or another entrypoint's address: stateless, one JSON answer, both protocol eras. The caller has
 * authenticated the request. The fast path answers common calls; the SDK answers everything else and all protocol
 * errors.
 */
export async function answerHosted<Resources extends ResourceServer>(
  call: HostedCall<Resources>,
): Promise<HostedAnswer> {
  const message = parsedMessage(call.body)
  return 'refused' in message ? message.refused : answerMessage(call, message.message)
}

/** One message, or the answer to a body that has none. */
export function parsedMessage(body: string): { readonly message: unknown } | { readonly refused: HostedAnswer } {
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch {
    return { refused: protocolError(400, -32700, 'Parse error: the body is not JSON.') }
  }
  if (!Array.isArray(message)) return { message }
  return { refused: protocolError(400, -32600, 'Invalid Request: send one message at a time.') }
}

export async function answerMessage<Resources extends ResourceServer>(
  call: HostedCall<Resources>,
  message: unknown,
): Promise<HostedAnswer> {
  return (await answerOnFastPath(call, message)) ?? plain(await answerBySdk(call, message))
}

/** Only tests of the transport pass another `factory`. */
export async function answerBySdk<Resources extends ResourceServer>(
  call: Omit<HostedCall<Resources>, 'header'>,
  parsedBody: unknown,
  factory: (era: 'legacy' | 'modern') => Server = (era) => serverOf(call, era),
): Promise<Response> {
  const request = sdkRequest(call)
  if (!(await isLegacyRequest(request, parsedBody)))
    return createMcpHandler(() => factory('modern'), { legacy: 'reject' }).fetch(request, { parsedBody })
  const server = factory('legacy')
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    server.close().catch(() => {})
  }
}

/**
 * Only the 2026-07-28 revision can listen here. Earlier revisions need a session, but every request here is
 * independent.
 */
export function serverOf<Resources extends ResourceServer>(
  { entrypoint, resources }: Pick<HostedCall<Resources>, 'entrypoint' | 'resources'>,
  era: 'legacy' | 'modern',
): Server {
  const subscriptions = entrypoint.listens && era === 'modern' ? 'listen' : undefined
  return mcpServer(entrypoint, resources, identity(entrypoint, resources.providerUrl), subscriptions)
}

export function sdkRequest(call: Pick<HostedCall, 'url' | 'headers' | 'body' | 'signal'>): Request {
  const headers = new Headers(call.headers())
  // Every answer is JSON, so clients that accept only JSON are allowed, too.
  headers.set('accept', 'application/json, text/event-stream')
  return new Request(call.url, { method: 'POST', headers, body: call.body, signal: call.signal() })
}

export async function plain(response: Response): Promise<HostedAnswer> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

export function protocolError(
  status: number,
  code: number,
  message: string,
  id: unknown = null,
  data?: object,
): HostedAnswer {
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } })
  return { status, headers: { 'content-type': 'application/json' }, body }
}
