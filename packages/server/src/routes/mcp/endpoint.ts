import type { ServerResponse } from 'node:http'
import type { HostedAnswer } from '@pdpp/mcp-server'
import { MCP_BODY_BYTES, PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { accessIdOf, type ClientAuthority, type PackageAuthority } from '../../grants/authority.ts'
import { abortSignalOf } from '../../http/guards/request-signal.ts'
import { bodyText } from '../../http/request/body.ts'
import { toPdppError } from '../../http/response/error-response.ts'
import type { Http, HttpEnvironment, McpSurface } from '../environment.ts'
import { audienceAt, bearerOf } from '../guards/authenticate.ts'
import { refusal } from '../guards/read-receipts.ts'
import type { InProcessApp, Reader } from './in-process-resource-server.ts'

let adapter: ReturnType<typeof importAdapter> | undefined

/** Loads the MCP adapter after the server has started listening, because commands without a server do not need it. */
export const loadAdapter = () => (adapter ??= importAdapter())

async function importAdapter() {
  const [normal, developer, reading, subscribing] = await Promise.all([
    import('@pdpp/mcp-server'),
    import('@pdpp/mcp-server/developer'),
    import('./in-process-resource-server.ts'),
    import('./in-process-subscription-server.ts'),
  ])
  return { normal, developer, reading, subscribing }
}

/**
 * POST /mcp and POST /mcp/developer: the tools of one entrypoint, for the token of a grant or a package. Every read
 * goes through `/v1` (003.6).
 */
export function mcpEndpoint(context: Context, app: InProcessApp, surface: McpSurface): Handler<HttpEnvironment> {
  const audience = audienceAt(surface)
  return async (c) => {
    const { origin } = c.get('requestOrigin')
    // Hosts show the icon next to the name, even before sign-in (003.17.2).
    c.header('Link', `<${origin}/icon.svg>; rel="icon"; type="image/svg+xml"`)
    try {
      const bearer = bearerOf(c)
      const body = await bodyText(c, MCP_BODY_BYTES)
      // Check the token after the body has arrived: the grant may have been revoked while a slow client was sending.
      const authority = await requireClient(context, c, bearer, surface)
      const { outgoing: response } = (c.env ?? {}) as { outgoing?: ServerResponse }
      const requestOrigin = c.get('requestOrigin')
      const reader = { authority, requestOrigin, requestId: c.get('requestId'), surface, response }
      if (surface === 'mcp') return await answerNormal(c, app, body, reader)
      const check = async () => ({ ...reader, authority: await requireClient(context, c, bearer, surface) })
      return await answerDeveloper(context, c, app, body, reader, check)
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

async function answerNormal(c: Http, app: InProcessApp, body: string, reader: Reader): Promise<Response> {
  const { normal, reading } = await loadAdapter()
  const { NORMAL } = normal
  const answer = await normal.answerHosted({
    ...callOf(c, body),
    entrypoint: NORMAL,
    resources: new reading.InProcessResourceServer(app, reader),
  })
  return send(c, answer)
}

/** `check` authenticates the bearer again, for answers that stay open. */
async function answerDeveloper(
  context: Context,
  c: Http,
  app: InProcessApp,
  body: string,
  reader: Reader,
  check: () => Promise<Reader>,
): Promise<Response> {
  const { developer, subscribing } = await loadAdapter()
  const { DEVELOPER } = developer
  const answer = await developer.answerListening({
    ...callOf(c, body),
    entrypoint: DEVELOPER,
    resources: new subscribing.InProcessSubscriptionServer(app, reader),
    listening: new subscribing.RecheckedSubscriptionServer(app, reader, check),
    takePlace: () => context.openStreams.take(accessIdOf(reader.authority)),
  })
  if ('stream' in answer) return c.newResponse(answer.stream, answer.status as 200, { ...answer.headers })
  return send(c, answer)
}

function callOf(c: Http, body: string) {
  return {
    url: c.req.url,
    header: (name: string) => c.req.header(name),
    headers: () => c.req.raw.headers,
    signal: () => abortSignalOf(c),
    body,
  }
}

function send(c: Http, { status, headers, body }: HostedAnswer): Response {
  return c.newResponse(body === '' ? null : body, status as 200, { ...headers })
}

/** Requires the token of a grant, never the owner's, because agents read through a grant (000.3). */
async function requireClient(
  context: Context,
  c: Http,
  bearer: string,
  surface: McpSurface,
): Promise<ClientAuthority | PackageAuthority> {
  const authentication = await context.tokens.authenticate(bearer, audienceAt(surface))
  if ('refused' in authentication) {
    const { refused, subjectId, clientId, accessId } = authentication
    const receipt = refusal(c, { operation: 'mcp', subjectId, clientId }, accessId, refused.code)
    await context.receipts.append({ ...receipt, surface })
    throw refused
  }
  if (authentication.authority.kind === 'owner') {
    throw new PdppError('permission_error', 'This endpoint needs a client token, not an owner token.', {
      nextStep: 'Connect through OAuth, or use the token of a grant.',
    })
  }
  return authentication.authority
}

/** Answers with a JSON-RPC error, which every MCP client can show. A 401 names the metadata (RFC 9728 section 5.1). */
function refused(c: Http, error: PdppError, metadata: string): Response {
  const { type, code, message, next_step, http_status } = error.toWire(c.get('requestId'))
  if (error.status === 401) {
    const { challenge } = error.detail
    const reason = challenge === undefined ? '' : `error="${challenge}", error_description="${message}", `
    c.header('WWW-Authenticate', `Bearer ${reason}resource_metadata="${metadata}", scope="pdpp:read"`)
  }
  if (error.detail.retryAfterSeconds !== undefined) c.header('Retry-After', String(error.detail.retryAfterSeconds))
  const metadataMember = error.status === 401 ? { resource_metadata: metadata } : {}
  const rpcError = { code: -32600, message, type, pdpp_code: code, http_status, next_step, ...metadataMember }
  return c.json({ jsonrpc: '2.0', id: null, error: rpcError }, error.status as 400)
}
