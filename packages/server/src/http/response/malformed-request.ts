import type { Duplex } from 'node:stream'
import type { ServerType } from '@hono/node-server'
import { PDPP_VERSION, PdppError } from '@pdpp/protocol'
import { newId } from '../../lib/ids.ts'

/**
 * Max. bytes of address and headers together. Fits a search query of 4,096 characters in any script (nine bytes each
 * when percent-encoded) and a token.
 */
export const HEAD_BYTES = 65_536
const LINGER_MS = 1000

/** Requests that Node cannot parse get the same error format as all others. */
export function refuseMalformedRequests(server: ServerType): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    refuseOnSocket(socket, refusalOf(error))
  })
}

/** Writes an error to a raw socket that has no response object, and closes the connection. */
export function refuseOnSocket(socket: Duplex, refusal: PdppError): void {
  socket.end(answerOf(refusal))
  // Read the remaining bytes: closing with unread ones would reset the connection before the client reads the answer.
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function refusalOf({ code }: NodeJS.ErrnoException): PdppError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new PdppError('resource_limit', `The address and the headers are larger than ${HEAD_BYTES} bytes.`)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new PdppError('request_stalled', 'The address and the headers did not arrive in time.')
  return new PdppError('invalid_request', 'This is not a valid HTTP request.', {
    nextStep: 'Send it again in full, as HTTP/1.1.',
  })
}

function answerOf(refusal: PdppError): string {
  const requestId = newId('req')
  const body = JSON.stringify({ error: refusal.toWire(requestId) })
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Request-Id': requestId,
    'PDPP-Version': PDPP_VERSION,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} Refused\r\n${lines.join('')}\r\n${body}`
}
