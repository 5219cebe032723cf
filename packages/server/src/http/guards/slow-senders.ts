import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { PdppError } from '@pdpp/protocol'
import { refuseOn } from '../response/malformed-request.ts'

/** How long a client may take to send a request. */
export interface Patience {
  /** For address and headers, from the first moment on. */
  readonly headersMs: number
  /** For the next byte of a body; an upload that keeps sending may take as long as it likes. */
  readonly bodyIdleMs: number
}

export const PATIENCE: Patience = { headersMs: 20_000, bodyIdleMs: 60_000 }

/** How often connections are looked at: a limit is kept to within so much of itself. */
const LOOKS_PER_LIMIT = 20

export const lookEvery = (limitMs: number): number => Math.ceil(limitMs / LOOKS_PER_LIMIT)

interface Arriving {
  readonly response: ServerResponse
  bytes: number
  since: number
}

/** Ends every request whose body stops coming, whichever route it is for and whether or not anybody reads it. */
export function endSlowBodies(server: Server, { bodyIdleMs }: Patience): void {
  const arriving = new Map<IncomingMessage, Arriving>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!expectsBody(request)) return
    arriving.set(request, { response, bytes: -1, since: performance.now() })
    request.once('end', () => arriving.delete(request))
    request.once('close', () => arriving.delete(request))
  })
  const look = () => {
    const now = performance.now()
    for (const [request, state] of arriving) {
      const { bytesRead } = request.socket
      // Bytes that nobody has taken yet are our own delay, not the sender's.
      if (bytesRead !== state.bytes || request.readableLength > 0)
        Object.assign(state, { bytes: bytesRead, since: now })
      else if (now - state.since >= bodyIdleMs) {
        arriving.delete(request)
        end(request, state.response)
      }
    }
  }
  const timer = setInterval(look, lookEvery(bodyIdleMs)).unref()
  server.once('close', () => clearInterval(timer))
}

function expectsBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function end(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) request.destroy()
  else refuseOn(request.socket, new PdppError('request_stalled', 'The rest of the request did not arrive in time.'))
}
