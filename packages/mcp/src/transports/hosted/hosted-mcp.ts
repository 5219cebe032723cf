import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Entrypoint } from '../../calling/entrypoint.ts'
import type { Identity } from '../../entrypoints/identity.ts'
import { mcpServer } from '../../entrypoints/mcp-server.ts'
import type { ResourceServer } from '../../resource-server/resource-server.ts'
import { answerOnFastPath } from './fast-path.ts'

export interface HostedCall {
  readonly entrypoint: Entrypoint
  readonly url: string
  /** All headers. Called only when the SDK answers, because building them costs more than a fast-path answer. */
  readonly headers: () => Headers
  readonly header: (name: string) => string | undefined
  /** The complete body. The caller limits its size. */
  readonly body: string
  readonly resources: ResourceServer
  readonly identity: Identity
  readonly signal: AbortSignal
}

/** An answer whose body is one JSON text or empty. Web servers send plain strings fastest. */
export interface HostedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Answers `POST /mcp` or another entrypoint's address: stateless, one JSON answer, both protocol eras. The caller has
 * authenticated the request. The fast path answers common calls; the SDK answers everything else and all protocol errors.
 */
export async function answerHosted(call: HostedCall): Promise<HostedAnswer> {
  let message: unknown
  try {
    message = JSON.parse(call.body)
  } catch {
    return protocolError(400, -32700, 'Parse error: the body is not JSON.')
  }
  if (Array.isArray(message)) return protocolError(400, -32600, 'Invalid Request: send one message at a time.')
  return (await answerOnFastPath(call, message)) ?? plain(await answerBySdk(call, message))
}

/** Only tests of the transport pass another `factory`. */
export async function answerBySdk(
  call: Omit<HostedCall, 'header'>,
  parsedBody: unknown,
  factory: () => Server = () => mcpServer(call.entrypoint, call.resources, call.identity),
): Promise<Response> {
  const headers = new Headers(call.headers())
  // The SDK demands both types. Every answer is JSON, so clients that accept only JSON work too.
  headers.set('accept', 'application/json, text/event-stream')
  const request = new Request(call.url, { method: 'POST', headers, body: call.body, signal: call.signal })
  if (!(await isLegacyRequest(request, parsedBody)))
    return createMcpHandler(factory, { legacy: 'reject' }).fetch(request, { parsedBody })
  const server = factory()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    server.close().catch(() => {})
  }
}

async function plain(response: Response): Promise<HostedAnswer> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

export function protocolError(status: number, code: number, message: string): HostedAnswer {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })
  return { status, headers: { 'content-type': 'application/json' }, body }
}
