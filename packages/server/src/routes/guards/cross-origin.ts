import { PdppError } from '@pdpp/protocol'
import type { MiddlewareHandler, Next } from 'hono'
import { isLoopback } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import type { Transport } from '../../http/environment.ts'
import { isOwnOrigin } from '../../http/request/request-origin.ts'
import type { Http, HttpEnvironment } from '../environment.ts'

const READ = ['GET', 'HEAD']
/** What pages elsewhere may call: what an agent that lives in a web page needs, and nothing that knows a cookie. */
const OPEN: readonly { path: RegExp; methods: readonly string[]; anyOrigin?: true; token?: true }[] = [
  // Documents that say what this server is, and hold nothing of its owner.
  { path: /^\/\.well-known\//, methods: READ, anyOrigin: true },
  { path: /^\/oauth\/(register|token|revoke)$/, methods: ['POST'] },
  // GET and DELETE are answered with 405, which a client has to be able to read.
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
  // What a blob is, and which part of it came.
  'Content-Disposition',
  'Content-Range',
  'ETag',
].join(', ')
const PREFLIGHT_SECONDS = '600'

/** Whether a page of this origin may call this at all. */
export function isOpenTo(c: Transport, origin: string): boolean {
  const rule = ruleOf(c)
  const method = isPreflight(c) ? c.req.header('access-control-request-method')! : c.req.method
  return rule?.methods.includes(method) === true && (rule.anyOrigin === true || isPageOrigin(origin))
}

/**
 * CORS (Fetch, section 3.2) for the routes above: any page, never with cookies. A token is taken from a page only
 * where its client lives there, so that one which leaked is worth nothing to another page.
 */
export function crossOrigin(context: Context): MiddlewareHandler<HttpEnvironment> {
  return (c, next) => {
    const origin = c.req.header('origin')
    // Most requests come from no page at all, and pay nothing for it.
    return origin === undefined || !isOpenTo(c, origin) ? next() : opened(context, c, origin, next)
  }
}

async function opened(context: Context, c: Http, origin: string, next: Next): Promise<Response | undefined> {
  c.header('Access-Control-Allow-Origin', '*')
  c.header('Access-Control-Expose-Headers', EXPOSED)
  if (!isPreflight(c)) {
    if (ruleOf(c)?.token && !isOwnOrigin(c, origin)) await requireHome(context, c, origin)
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

async function requireHome(context: Context, c: Http, origin: string): Promise<void> {
  const bearer = /^Bearer +(\S{16,512})$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const found = bearer === undefined ? undefined : await context.tokens.find(bearer)
  // What is no token of ours is refused as everywhere, in a way that the page can read.
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

/** A page that nobody on the way can change: https, or this machine. Not "null", which anybody's frame can be. */
function isPageOrigin(origin: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (!url || url.origin !== origin) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
}
