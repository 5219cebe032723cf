import { PdppError } from '@pdpp/protocol'
import type { MiddlewareHandler } from 'hono'
import type { Context } from '../../context.ts'
import { rateLimited } from '../../grants/allowances/allowance-service.ts'
import { type Authority, accessIdOf } from '../../grants/authority.ts'
import { requestSignalOf } from '../../http/guards/request-signal.ts'
import { toPdppError } from '../../http/response/error-response.ts'
import type { Receipt } from '../../receipts/receipt-store.ts'
import { unknownToken } from '../../tokens/token-service.ts'
import type { Audience } from '../../tokens/token-store.ts'
import type { Http, HttpEnvironment, McpSurface } from '../environment.ts'
import { disclosed, refusal, refusedAccessId } from './read-receipts.ts'

/**
 * Guards a read: authenticates the token, applies the allowance, and writes a receipt of what the client got or was
 * refused. The receipt is durable before the answer is sent; if it cannot be written, the request fails.
 */
export function readAccess(context: Context, route: string): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const operation = c.env?.pdppOperation ?? route
    const authentication = await authenticated(context, c)
    if ('refused' in authentication) {
      const { refused, subjectId, clientId, accessId } = authentication
      await context.receipts.append(refusal(c, { operation, subjectId, clientId }, accessId, refused.code))
      throw refused
    }
    const { authority } = authentication
    c.set('authority', authority)
    c.set('signal', requestSignalOf(c, context.requestMs, accessIdOf(authority)))
    if (authority.kind === 'owner') {
      // Lets MCP adapters recognise an owner token, which they must refuse (000.3).
      c.header('PDPP-Token-Kind', 'owner')
      return next()
    }
    const { subjectId, clientId } = authority
    const reader = { operation, subjectId, clientId }
    const accessId = accessIdOf(authority)
    const exhausted = context.allowances.take(accessId)
    if (exhausted) {
      const error = rateLimited(exhausted, authority.kind === 'package' ? 'package' : 'grant')
      if (exhausted.isReported) await write(context, [refusal(c, reader, accessId, error.code)])
      throw error
    }
    underWay.count++
    try {
      await next()
    } finally {
      underWay.count--
    }
    context.allowances.charge(accessId, rowsShown(c), c.var.bytes ?? 0)
    if (c.var.isUnreceipted && !c.error) return
    const receipts = c.error
      ? [refusal(c, reader, refusedAccessId(c, authority), toPdppError(c.error, context.storage).code)]
      : disclosed(c, reader, authority)
    await write(context, receipts, underWay.count === 0 ? 0 : waitFor(c.get('signal').elapsedMs))
  }
}

/** Reads of this process that have started and will need a receipt. */
const underWay = { count: 0 }

/** A read that already took long may wait a little longer, so that other running reads can share its commit. */
const waitFor = (elapsedMs: number): number => Math.min(MAX_WAIT_MS, Math.floor(elapsedMs * WAIT_SHARE))
const MAX_WAIT_MS = 4
const WAIT_SHARE = 0.2

/**
 * The authority of a read. A tool call was already authenticated at /mcp, for that audience, and its authority comes in
 * the environment. All other requests need a token for /v1.
 */
export async function authenticated(context: Context, c: Http): ReturnType<Context['tokens']['authenticate']> {
  const authority = c.env?.pdppAuthority
  return authority ? { authority } : context.tokens.authenticate(bearerOf(c), 'v1')
}

/** The audience that a token needs at a surface. */
export function audienceAt(surface: McpSurface | undefined): Audience {
  return surface === undefined ? 'v1' : surface === 'mcp' ? 'mcp' : 'mcp/developer'
}

function rowsShown(c: Http): number {
  let rows = 0
  for (const { records } of c.var.disclosures ?? []) rows += records.length
  return rows
}

function write(context: Context, receipts: readonly Receipt[], maxWaitMs = 0): Promise<unknown> {
  const [only] = receipts
  if (receipts.length === 1) return context.receipts.append(only!, maxWaitMs)
  return Promise.all(receipts.map((receipt) => context.receipts.append(receipt, maxWaitMs)))
}

export function ownerAccess(context: Context): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const authentication = await context.tokens.authenticate(bearerOf(c), 'v1')
    if ('authority' in authentication && authentication.authority.kind === 'owner') {
      c.set('authority', authentication.authority)
      return next()
    }
    // Write a receipt, because the owner should see that a client tried an owner route.
    const { subjectId, clientId, accessId } =
      'refused' in authentication ? authentication : clientOf(authentication.authority)
    const reader = { operation: 'owner', subjectId, clientId }
    await context.receipts.append(refusal(c, reader, accessId, 'permission_error'))
    throw new PdppError('permission_error', 'Only the owner may do this.', {
      nextStep: 'Leave this to the owner; a client only reads what its grant includes.',
    })
  }
}

function clientOf(authority: Authority) {
  const clientId = authority.kind === 'owner' ? undefined : authority.clientId
  return { subjectId: authority.subjectId, clientId, accessId: accessIdOf(authority) }
}

/** A header as most clients write it, and the part before its token. */
const USUAL_BEARER = /^Bearer [A-Za-z0-9._~+/=-]{16,512}$/
const BEARER = 'Bearer '

export function bearerOf(c: Http): string {
  const sent = c.req.header('authorization') ?? ''
  if (USUAL_BEARER.test(sent)) return sent.slice(BEARER.length)
  const [, token] = /^Bearer +(\S.*)$/is.exec(sent) ?? []
  if (token !== undefined && /^[A-Za-z0-9._~+/=-]{16,512}$/.test(token)) return token
  if (token !== undefined) throw unknownToken()
  throw new PdppError('authentication_error', 'This request needs an Authorization header with a bearer token.')
}
