import { PdppError } from '@pdpp/protocol'
import type { MiddlewareHandler, Next } from 'hono'
import { isLoopback } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import type { Transport } from '../../http/environment.ts'
import { isOwnOrigin } from '../../http/request/request-origin.ts'
import type { Http, HttpEnvironment } from '../environment.ts'

const READ = ['GET', 'HEAD']
/** Routes that pages of other origins may call: those that an agent in a web page needs. None of them uses cookies. */
const OPEN: readonly { path: RegExp; methods: readonly string[]; anyOrigin?: true; token?: true }[] = [
  // These documents describe the server and contain no data of its owner.
  { path: /^\/\.well-known\//, methods: READ, anyOrigin: true },
  { path: /^\/oauth\/(register|token|revoke)$/, methods: ['POST'] },
  // GET and DELETE get a 405, which clients must be able to read.
  { path: /^\/mcp(\/developer)?$/, methods: ['POST', 'GET', 'DELETE'], token: true },
  { path: /^\/v1\/(schema|search|connectors|streams|blobs)(\/|$)/, methods: READ, token: true },
]
const EXPOSED = [
  'WWW-Authenticate',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'Retry-After',
  'Link',
  'Request-Id',
  'PDPP-Version',
  // For blobs: file name, range and version.
  'Content-Disposition',
  'Content-Range',
  'ETag',
].join(', ')
const PREFLIGHT_SECONDS = '600'

/** True if a page of this origin may send this request. */
export function isOpenTo(c: Transport, origin: string): boolean {
  const rule = ruleOf(c)
  const method = isPreflight(c) ? c.req.header('access-control-request-method')! : c.req.method
  return rule?.methods.includes(method) === true && (rule.anyOrigin === true || isPageOrigin(origin))
}

/**
 * CORS (Fetch, section 3.2) for the routes above, for any page, without cookies. A token is accepted only from the
 * origin of its client's redirect URI, so that a leaked token is useless to other pages.
 */
export function crossOrigin(context: Context): MiddlewareHandler<HttpEnvironment> {
  return (c, next) => {
    const origin = c.req.header('origin')
    // Most requests come from programs and skip all of this.
    return origin === undefined || !isOpenTo(c, origin) ? next() : opened(context, c, origin, next)
  }
}

async function opened(context: Context, c: Http, origin: string, next: Next): Promise<Response | undefined> {
  c.header('Access-Control-Allow-Origin', '*')
  c.header('Access-Control-Expose-Headers', EXPOSED)
  if (!isPreflight(c)) {
    if (ruleOf(c)?.token && !isOwnOrigin(c, origin)) await requireClientOrigin(context, c, origin)
    await next()
    return
  }
  c.header('Access-Control-Allow-Methods', c.req.header('access-control-request-method')!)
  const headers = c.req.header('access-control-request-headers')
  if (headers !== undefined) c.header('Access-Control-Allow-Headers', headers)
  c.header('Access-Control-Max-Age', PREFLIGHT_SECONDS)
  c.header('Vary', 'Access-Control-Request-Headers')
  return c.body(null, 204)
}

const ruleOf = (c: Transport) => OPEN.find(({ path }) => path.test(c.req.path))

async function requireClientOrigin(context: Context, c: Http, origin: string): Promise<void> {
  const bearer = /^Bearer +(\S{16,512})$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const found = bearer === undefined ? undefined : await context.tokens.find(bearer)
  // An unknown token is refused later, like on every route, with an error that the page can read.
  if (!found) return
  const { clientId } = found.token
  const client = clientId === undefined ? undefined : await context.clients.find(clientId)
  if (client?.metadata.redirect_uris.some((uri) => URL.canParse(uri) && new URL(uri).origin === origin)) return
  throw new PdppError('origin_not_allowed', 'This token cannot be used from a page of that origin.', {
    nextStep: 'Connect again from that page, so that its client is registered with a redirect URI of that origin.',
  })
}

function isPreflight(c: Transport): boolean {
  return c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined
}

/** An origin that the network cannot forge: https or loopback. Not "null", which any sandboxed frame has. */
function isPageOrigin(origin: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (!url || url.origin !== origin) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
}
