import { PDPP_VERSION, PdppError } from '@pdpp/protocol'
import { newId } from '../../lib/ids.ts'
import type { Transport, TransportGuard } from '../environment.ts'

const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,100}$/

/**
 * Gives every response a request id: the client's if it is well-formed, otherwise a new one. Then calls the guard,
 * which must run before all other middleware and throws if the request is for another host or comes from a foreign
 * page.
 */
export function assignRequestId(guard: (c: Transport) => void): TransportGuard {
  return (c, next) => {
    const clientId = c.req.header('request-id') ?? c.req.header('x-request-id')
    const requestId = clientId !== undefined && REQUEST_ID.test(clientId) ? clientId : newId('req')
    c.set('requestId', requestId)
    c.header('Request-Id', requestId)
    c.header('X-Request-Id', requestId)
    c.header('PDPP-Version', PDPP_VERSION)
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Cache-Control', 'private, no-store')
    guard(c)
    const version = c.req.header('pdpp-version')
    if (version !== undefined && version !== PDPP_VERSION) {
      throw new PdppError('unsupported_version', `This server speaks PDPP-Version ${PDPP_VERSION}.`, {
        param: 'PDPP-Version',
      })
    }
    return next()
  }
}
