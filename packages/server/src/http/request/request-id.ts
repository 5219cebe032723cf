import { PDPP_VERSION, PdppError } from '@pdpp/protocol'
import { newId } from '../../lib/ids.ts'
import type { Transport, TransportGuard } from '../environment.ts'

const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,100}$/

/**
 * Every answer can be traced: the caller's request id where it is a plain one, otherwise ours. Then the guard decides
 * whether the request is for us at all, before anything else looks at it.
 */
export function assignRequestId(guard: (c: Transport) => void): TransportGuard {
  return async (c, next) => {
    const given = c.req.header('request-id') ?? c.req.header('x-request-id')
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : newId('req')
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
    await next()
  }
}
