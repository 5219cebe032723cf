import { PdppError } from '@pdpp/protocol'
import { isDocumentAddress } from '../../clients/client-document.ts'
import { isLoopbackRedirect, redirectUriProblem } from '../../clients/redirect-uri.ts'
import { UnreadableDocument } from '../../clients/unreadable-document.ts'
import { isUnverifiedId, unverifiedId } from '../../clients/unverified-client.ts'
import type { Context } from '../../context.ts'

/**
 * The parameters of a request that starts an authorization, with the client id that we use internally. A client's
 * metadata document is fetched here and not again later in the flow. If it cannot be read, a program on this computer
 * continues as an unverified client; for any other client it throws.
 */
export async function withStartingClient(
  context: Context,
  params: URLSearchParams,
  origin: string,
): Promise<URLSearchParams> {
  for (const uri of params.getAll('redirect_uri')) {
    const problem = redirectUriProblem(uri, origin)
    if (problem !== undefined) throw new PdppError('invalid_request', `The redirect_uri cannot be used: it ${problem}.`)
  }
  const clientId = onlyOne(params, 'client_id')
  if (clientId === undefined || !isDocumentAddress(clientId)) return params
  const pushed = await context.authorization.flowClients.pushedBy(params.get('request_uri'))
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

/**
 * The parameters of a token request. They get an unverified client's id if the code or refresh token belongs to one.
 */
export async function withTokenClient(context: Context, params: URLSearchParams): Promise<URLSearchParams> {
  const clientId = onlyOne(params, 'client_id')
  if (clientId === undefined || !isDocumentAddress(clientId)) return params
  const tokenClientId = await context.authorization.flowClients.clientOfToken(
    params.get('code'),
    params.get('refresh_token'),
  )
  return tokenClientId !== undefined && isUnverifiedId(tokenClientId)
    ? withClientId(params, tokenClientId, clientId)
    : params
}

/** Replaces the sent client_id by our internal id, but only if the internal id was derived from it. */
function withClientId(params: URLSearchParams, internalId: string, sentId: string): URLSearchParams {
  if (internalId !== unverifiedId(sentId)) return params
  const changed = new URLSearchParams(params)
  changed.set('client_id', internalId)
  return changed
}

/** The value of a parameter that was sent exactly once. Our internal client ids are refused. */
function onlyOne(params: URLSearchParams, name: string): string | undefined {
  const [first, ...more] = params.getAll(name)
  if (name === 'client_id' && first !== undefined && isUnverifiedId(first))
    throw new PdppError('invalid_client', 'This server does not know the client_id.')
  return more.length === 0 ? first : undefined
}
