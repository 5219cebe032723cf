import { PdppError } from '@pdpp/protocol'
import { isDocumentAddress } from '../../clients/client-document.ts'
import { isLoopbackRedirect, redirectUriMistake } from '../../clients/redirect-uri.ts'
import { UnreadableDocument } from '../../clients/unreadable-document.ts'
import { isUnverifiedId, unverifiedId } from '../../clients/unverified-client.ts'
import type { Context } from '../../context.ts'

/**
 * The parameters of a request that begins a flow, with the client that it is for us. A client with a metadata document is
 * looked up now, and never again on the way. Where the document cannot be read, a program on this computer goes on as an
 * unverified client of its own; anybody else is told.
 */
export async function withAskingClient(
  context: Context,
  params: URLSearchParams,
  origin: string,
): Promise<URLSearchParams> {
  for (const uri of params.getAll('redirect_uri')) {
    const mistake = redirectUriMistake(uri, origin)
    if (mistake !== undefined) throw new PdppError('invalid_request', `The redirect_uri cannot be used: it ${mistake}.`)
  }
  const clientId = onlyOne(params, 'client_id')
  if (clientId === undefined || !isDocumentAddress(clientId)) return params
  const pushed = await context.authorization.holders.pushedBy(params.get('request_uri'))
  if (pushed !== undefined && isUnverifiedId(pushed)) return withClientId(params, pushed, clientId)
  try {
    await context.clients.resolve(clientId)
    return params
  } catch (error) {
    const redirectUri = onlyOne(params, 'redirect_uri')
    if (!(error instanceof UnreadableDocument) || redirectUri === undefined || !isLoopbackRedirect(redirectUri))
      throw error
    const client = await context.clients.unverified(clientId, redirectUri, error.reason)
    return withClientId(params, client.clientId, clientId)
  }
}

/** The parameters of a request for tokens: what it holds says whether it was given to the unverified client of that name. */
export async function withHoldingClient(context: Context, params: URLSearchParams): Promise<URLSearchParams> {
  const clientId = onlyOne(params, 'client_id')
  if (clientId === undefined || !isDocumentAddress(clientId)) return params
  const accessId = await context.authorization.holders.holderOf(params.get('code'), params.get('refresh_token'))
  return accessId !== undefined && isUnverifiedId(accessId) ? withClientId(params, accessId, clientId) : params
}

/** The name inside is used only in the place of the very address that it is made of. */
function withClientId(params: URLSearchParams, inside: string, asked: string): URLSearchParams {
  if (inside !== unverifiedId(asked)) return params
  const changed = new URLSearchParams(params)
  changed.set('client_id', inside)
  return changed
}

/** An id that is ours alone is nobody's to send. */
function onlyOne(params: URLSearchParams, name: string): string | undefined {
  const [first, ...more] = params.getAll(name)
  if (name === 'client_id' && first !== undefined && isUnverifiedId(first))
    throw new PdppError('invalid_client', 'This server does not know the client_id.')
  return more.length === 0 ? first : undefined
}
