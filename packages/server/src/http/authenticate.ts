import { isName, PdppError } from '@pdpp/protocol'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import type { Context } from '../context.ts'
import type { Receipt } from '../receipts/receipt-store.ts'
import type { HttpEnvironment } from './environment.ts'
import { toPdppError } from './errors.ts'

type Http = HonoContext<HttpEnvironment>

/**
 * Reads: who asks, and a receipt for what a client got or was refused. The receipt is durable before the answer
 * leaves; where it cannot be written there is no answer.
 */
export function readAccess(context: Context, operation: string): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const found = await context.tokens.authenticate(bearerOf(c))
    if ('refused' in found) {
      await context.receipts.append(
        refusal(
          c,
          { operation, subjectId: found.subjectId, clientId: found.clientId, grantId: found.grantId },
          found.refused.code,
        ),
      )
      throw found.refused
    }
    c.set('authority', found.authority)
    await next()
    if (found.authority.kind !== 'client') return
    const { subjectId, clientId, grant } = found.authority
    const reader = { operation, subjectId, clientId, grantId: grant.grant_id }
    const receipts = c.error ? [refusal(c, reader, toPdppError(c.error).code)] : disclosed(c, reader)
    try {
      await Promise.all(receipts.map((receipt) => context.receipts.append(receipt)))
    } catch {
      throw new PdppError('server_busy', 'The receipt of this read could not be written, so it was not answered.', {
        retryAfterSeconds: 5,
      })
    }
  }
}

export function ownerAccess(context: Context): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const found = await context.tokens.authenticate(bearerOf(c))
    if ('refused' in found || found.authority.kind !== 'owner') {
      throw new PdppError('permission_error', 'Only the owner may do this.', {
        nextStep: 'Leave this to the owner; a client reads through GET /v1/schema and what it lists.',
      })
    }
    c.set('authority', found.authority)
    await next()
  }
}

function bearerOf(c: Http): string {
  const match = /^Bearer +([A-Za-z0-9._~+/=-]{16,512})$/i.exec(c.req.header('authorization') ?? '')
  if (match) return match[1]!
  throw new PdppError('authentication_error', 'This request needs an Authorization header with a bearer token.')
}

type Reader = Pick<Receipt, 'operation' | 'subjectId' | 'clientId' | 'grantId'>

function refusal(c: Http, reader: Reader, outcome: string): Receipt {
  const stream = c.req.param('stream')
  return {
    ...reader,
    at: Date.now(),
    surface: 'rest',
    requestId: c.get('requestId'),
    connectorKey: undefined,
    stream: stream !== undefined && isName(stream) ? stream : undefined,
    connections: [],
    fields: [],
    records: [],
    bytes: 0,
    outcome,
  }
}

/** One receipt for each stream that the answer shows; its size counts once. */
function disclosed(c: Http, reader: Reader): Receipt[] {
  const occasion = { ...reader, at: Date.now(), surface: 'rest', requestId: c.get('requestId'), outcome: 'ok' }
  const nothing = { connectorKey: undefined, stream: undefined, connections: [], fields: [], records: [] }
  const { disclosures = [], bytes = 0 } = c.var
  const shown = disclosures.length === 0 ? [nothing] : disclosures
  return shown.map((disclosure, index) => ({ ...occasion, ...disclosure, bytes: index === 0 ? bytes : 0 }))
}
