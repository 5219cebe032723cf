import { MCP_BODY_BYTES, PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { ClientAuthority, PackageAuthority } from '../../grants/authority.ts'
import { abortSignalOf } from '../../http/guards/request-signal.ts'
import { bodyText } from '../../http/request/body.ts'
import { toPdppError } from '../../http/response/error-response.ts'
import type { Http, HttpEnvironment, McpSurface } from '../environment.ts'
import { audienceAt, bearerOf } from '../guards/authenticate.ts'
import { refusal } from '../guards/read-receipts.ts'
import type { InProcessFetch } from './in-process-resource-server.ts'

let adapter: ReturnType<typeof importAdapter> | undefined

/** Loaded once the server listens: commands that open a data directory without listening never need it. */
export const loadAdapter = () => (adapter ??= importAdapter())

async function importAdapter() {
  const [
    { answerHosted, identity, NORMAL },
    { DEVELOPER },
    { InProcessResourceServer },
    { InProcessSubscriptionServer },
  ] = await Promise.all([
    import('@pdpp/mcp-server'),
    import('@pdpp/mcp-server/developer'),
    import('./in-process-resource-server.ts'),
    import('./in-process-subscription-server.ts'),
  ])
  return { answerHosted, identity, NORMAL, DEVELOPER, InProcessResourceServer, InProcessSubscriptionServer }
}

/**
 * POST /mcp and POST /mcp/developer: the tools of one entrypoint for a client token or a package's; every read is one
 * of `/v1` (003.6).
 */
export function mcpEndpoint(context: Context, fetch: InProcessFetch, surface: McpSurface): Handler<HttpEnvironment> {
  const audience = audienceAt(surface)
  return async (c) => {
    const { origin } = c.get('requestOrigin')
    // Hosts show it beside the name, also before anybody has signed in (003.17.2).
    c.header('Link', `<${origin}/icon.svg>; rel="icon"; type="image/svg+xml"`)
    try {
      const bearer = bearerOf(c)
      const body = await bodyText(c, MCP_BODY_BYTES)
      // Checked once, after the body: a client that sends slowly must not read with a grant that was revoked meanwhile.
      const authority = await requireClient(context, c, bearer, surface)
      const { answerHosted, identity, NORMAL, DEVELOPER, InProcessResourceServer, InProcessSubscriptionServer } =
        await loadAdapter()
      const reader = { authority, requestOrigin: c.get('requestOrigin'), requestId: c.get('requestId'), surface }
      const call = {
        url: c.req.url,
        header: (name: string) => c.req.header(name),
        headers: () => c.req.raw.headers,
        signal: abortSignalOf(c),
        body,
        identity: identity(surface === 'mcp' ? NORMAL : DEVELOPER, origin),
      }
      const answer =
        surface === 'mcp'
          ? await answerHosted({ ...call, entrypoint: NORMAL, resources: new InProcessResourceServer(fetch, reader) })
          : await answerHosted({
              ...call,
              entrypoint: DEVELOPER,
              resources: new InProcessSubscriptionServer(fetch, reader),
            })
      return c.newResponse(answer.body === '' ? null : answer.body, answer.status as 200, { ...answer.headers })
    } catch (error) {
      context.damage.note(error)
      return refused(
        c,
        toPdppError(error, context.storage),
        `${origin}/.well-known/oauth-protected-resource/${audience}`,
      )
    }
  }
}

/** A grant's holder, never the owner: agents read through a grant (000.3). */
async function requireClient(
  context: Context,
  c: Http,
  bearer: string,
  surface: McpSurface,
): Promise<ClientAuthority | PackageAuthority> {
  const found = await context.tokens.authenticate(bearer, audienceAt(surface))
  if ('refused' in found) {
    const { refused, subjectId, clientId, accessId } = found
    const receipt = refusal(c, { operation: 'mcp', subjectId, clientId }, accessId, refused.code)
    await context.receipts.append({ ...receipt, surface })
    throw refused
  }
  if (found.authority.kind === 'owner') {
    throw new PdppError('permission_error', 'This endpoint takes a client token: an owner token is never used here.', {
      nextStep: 'Connect through OAuth, or use the token of a grant.',
    })
  }
  return found.authority
}

/** A JSON-RPC error, so that every client can show it; RFC 9728 section 5.1 tells the client where to begin. */
function refused(c: Http, error: PdppError, metadata: string): Response {
  const { type, code, message, next_step, http_status } = error.toWire(c.get('requestId'))
  if (error.status === 401) {
    const { challenge } = error.detail
    const reason = challenge === undefined ? '' : `error="${challenge}", error_description="${message}", `
    c.header('WWW-Authenticate', `Bearer ${reason}resource_metadata="${metadata}", scope="pdpp:read"`)
  }
  if (error.detail.retryAfterSeconds !== undefined) c.header('Retry-After', String(error.detail.retryAfterSeconds))
  const metadataMember = error.status === 401 ? { resource_metadata: metadata } : {}
  const told = { code: -32600, message, type, pdpp_code: code, http_status, next_step, ...metadataMember }
  return c.json({ jsonrpc: '2.0', id: null, error: told }, error.status as 400)
}
