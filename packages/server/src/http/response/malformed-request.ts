import type { Duplex } from 'node:stream'
import type { ServerType } from '@hono/node-server'
import { PDPP_VERSION, PdppError } from '@pdpp/protocol'
import { newId } from '../../lib/ids.ts'

/** Address and headers together: a query of 4,096 characters of any script, nine bytes for each, and room for a token. */
export const HEAD_BYTES = 65_536
const LINGER_MS = 1000

/** What never became a request is refused as everything else is. */
export function refuseUnreadable(server: ServerType): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    refuseOn(socket, refusalOf(error))
  })
}

/** Answers where there is no response to write to, and closes the connection. */
export function refuseOn(socket: Duplex, refusal: PdppError): void {
  socket.end(answerOf(refusal))
  // Closed with bytes unread, the connection would be reset before the answer was.
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
