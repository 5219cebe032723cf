import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { bodyText } from '../../http/request/body.ts'
import { addressKey, type RateLimit } from '../../lib/limits/rate-limit.ts'
import { plainAscii } from '../../lib/plain-ascii.ts'
import type { Http, HttpEnvironment } from '../environment.ts'

const BODY_BYTES = 56 * 1024
const BODY_MS = 10_000

/** OAuth's names for our error codes, if they differ. */
const NAMES: Record<string, string> = {
  authentication_error: 'invalid_client',
  resource_limit: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  rate_limit_exceeded: 'slow_down',
  invalid_argument: 'invalid_request',
  api_error: 'server_error',
  request_timeout: 'temporarily_unavailable',
}

/** Answers errors in OAuth's format (RFC 6749 section 5.2) and forbids caching. */
export function oauthErrors(handler: Handler<HttpEnvironment>): Handler<HttpEnvironment> {
  return async (c, next) => {
    c.header('Cache-Control', 'no-store')
    try {
      return await handler(c, next)
    } catch (error) {
      if (!(error instanceof PdppError)) throw error
      return oauthError(c, error)
    }
  }
}

function oauthError(c: Http, error: PdppError): Response {
  const { retryAfterSeconds, param } = error.detail
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds))
  const name = param === 'redirect_uris' ? 'invalid_redirect_uri' : (NAMES[error.code] ?? error.code)
  return c.json({ error: name, error_description: plainAscii(error.message) }, error.status as 400)
}

/** Limits the requests per IP address, or per network for IPv6. Each value of `group` is counted separately. */
export function limited(limit: RateLimit, c: Http, group = ''): void {
  const seconds = limit.take(`${addressKey(c.get('requestOrigin').address)} ${group}`)
  if (seconds === undefined) return
  throw new PdppError('rate_limit_exceeded', 'Too many requests from this address.', { retryAfterSeconds: seconds })
}

export async function formBody(c: Http): Promise<URLSearchParams> {
  if (!isType(c, 'application/x-www-form-urlencoded'))
    throw new PdppError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.')
  return new URLSearchParams(await promptBody(c))
}

export async function jsonObject(c: Http): Promise<Record<string, unknown>> {
  if (!isType(c, 'application/json')) throw new PdppError('invalid_request', 'Send the body as application/json.')
  try {
    const value = JSON.parse(await promptBody(c))
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value
  } catch (error) {
    if (error instanceof PdppError) throw error
  }
  throw new PdppError('invalid_request', 'The body must be a JSON object.')
}

/** Reads the body with a time limit, so that a client that sends slowly cannot keep the request open. */
async function promptBody(c: Http): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const error = new PdppError('request_timeout', 'The body did not arrive in time.')
    timer = setTimeout(() => reject(error), BODY_MS)
  })
  try {
    return await Promise.race([bodyText(c, BODY_BYTES), late])
  } finally {
    clearTimeout(timer)
  }
}

export function isType(c: Http, type: string): boolean {
  return (c.req.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase() === type
}
