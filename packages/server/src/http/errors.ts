import { PdppError } from '@pdpp/protocol'
import type { Context as HonoContext } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { HttpEnvironment } from './environment.ts'

/** The one place where a thrown thing becomes an answer. What we did not throw ourselves shows nothing of itself. */
export function errorResponse(
  error: unknown,
  c: HonoContext<HttpEnvironment>,
  log: (line: string) => void,
  resourceMetadata: string,
): Response {
  const known = toPdppError(error)
  const requestId = c.get('requestId') ?? ''
  if (!(error instanceof PdppError) && known.code === 'api_error' && !c.req.raw.signal.aborted)
    log(`request ${requestId} failed: ${(error as Error)?.stack ?? error}`)
  const wire = known.toWire(requestId)
  const headers: Record<string, string> = {}
  if (known.status === 401) {
    // RFC 6750 section 3: a request without a token is not told of an error in one.
    const { challenge } = known.detail
    const reason = challenge === undefined ? '' : `error="${challenge}", error_description="${known.message}", `
    headers['WWW-Authenticate'] = `Bearer ${reason}resource_metadata="${resourceMetadata}"`
  }
  if (known.detail.retryAfterSeconds !== undefined) headers['Retry-After'] = String(known.detail.retryAfterSeconds)
  const body = known.status === 401 ? { ...wire, resource_metadata: resourceMetadata } : wire
  return c.json({ error: body }, known.status as 400, headers)
}

export function toPdppError(error: unknown): PdppError {
  if (error instanceof PdppError) return error
  if (error instanceof HTTPException && error.status === 413)
    return new PdppError('resource_limit', 'The request body is too large.')
  return new PdppError('api_error', 'Something went wrong in the server.')
}
