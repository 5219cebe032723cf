import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { PdppError } from '@pdpp/protocol'
import { refuseOnSocket } from '../response/malformed-request.ts'

/** How long a client may take to send a request. */
export interface SendTimeLimits {
  /** Max. milliseconds until the address and all headers have arrived. */
  readonly headersMs: number
  /** Max. milliseconds without a new byte of the body. An upload that keeps sending may take any time in total. */
  readonly bodyIdleMs: number
}

export const SEND_TIME_LIMITS: SendTimeLimits = { headersMs: 20_000, bodyIdleMs: 60_000 }

/** Connections are checked this many times per limit, so that a limit is exceeded by at most a twentieth. */
const CHECKS_PER_LIMIT = 20

export const checkIntervalMs = (limitMs: number): number => Math.ceil(limitMs / CHECKS_PER_LIMIT)

interface Arriving {
  readonly response: ServerResponse
  bytes: number
  since: number
}

/** Ends every request whose body stops arriving, on any route, even if nothing reads the body. */
export function endSlowBodies(server: Server, { bodyIdleMs }: SendTimeLimits): void {
  const arriving = new Map<IncomingMessage, Arriving>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!expectsBody(request)) return
    arriving.set(request, { response, bytes: -1, since: performance.now() })
    request.once('end', () => arriving.delete(request))
    request.once('close', () => arriving.delete(request))
  })
  const endStalled = () => {
    const now = performance.now()
    for (const [request, state] of arriving) {
      const { bytesRead } = request.socket
      // If received bytes are still unread, the server is slow, not the sender.
      if (bytesRead !== state.bytes || request.readableLength > 0)
        Object.assign(state, { bytes: bytesRead, since: now })
      else if (now - state.since >= bodyIdleMs) {
        arriving.delete(request)
        end(request, state.response)
      }
    }
  }
  const timer = setInterval(endStalled, checkIntervalMs(bodyIdleMs)).unref()
  server.once('close', () => clearInterval(timer))
}

function expectsBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function end(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) request.destroy()
  else
    refuseOnSocket(request.socket, new PdppError('request_stalled', 'The rest of the request did not arrive in time.'))
}
