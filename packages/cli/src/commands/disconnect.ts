import { type CachedGrant, type CredentialCache, grantOf } from '@pdpp/mcp-server/client'
import { type Revocation, revoke } from '../oauth/revocation.ts'
import { chooseProvider, openCache } from '../provider/connected.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { printJson, printLine, printWarning } from '../terminal/output.ts'
import { withProgress } from '../terminal/progress.ts'

interface DisconnectOptions {
  grant?: string
  all?: boolean
  forget?: boolean
  cacheRoot?: string
  json?: boolean
}

/** Revokes the access before it deletes the token, because revoking needs the token. */
export async function disconnect(url: string | undefined, options: DisconnectOptions): Promise<void> {
  const cache = openCache(options)
  const providerUrl = chooseProvider(url, cache)
  const results = []
  for (const grant of chosen(cache, providerUrl, options)) {
    const id = grantOf(grant.credential) ?? 'unnamed'
    const outcome = await withProgress(`Revoking ${id}`, () => revoke(grant.credential))
    if (outcome === 'unreachable' && !options.forget)
      throw new CommandFailure(
        EXIT.unreachable,
        `${providerUrl} does not answer, so the token could not be revoked. Nothing was deleted.`,
        'Try again later, or use --forget and ask the owner to revoke the grant.',
      )
    cache.forget(grant)
    if (outcome !== 'revoked') warn(outcome, id)
    results.push({ provider_url: providerUrl, grant_id: id, revoked: outcome === 'revoked', forgotten: true })
  }
  if (options.json) return printJson({ object: 'list', data: results })
  for (const { grant_id: id, revoked } of results)
    printLine(
      revoked
        ? `Revoked ${id} at ${providerUrl} and deleted its token.`
        : `Deleted the token of ${id} at ${providerUrl}.`,
    )
}

function chosen(cache: CredentialCache, providerUrl: string, options: DisconnectOptions): CachedGrant[] {
  const found = options.all
    ? cache.list(providerUrl)
    : [cache.find(providerUrl, options.grant)].filter((each) => each !== undefined)
  if (found.length > 0) return found
  const what =
    options.grant === undefined
      ? `You are not connected to ${providerUrl}.`
      : `There is no cached grant ${options.grant} for ${providerUrl}.`
  throw new CommandFailure(EXIT.notFound, what, '`pdpp status` lists your grants.')
}

function warn(outcome: Exclude<Revocation, 'revoked'>, id: string): void {
  const reason =
    outcome === 'unreachable' ? 'the server does not answer' : 'the server does not let clients revoke tokens'
  printWarning('not_revoked', `The token was not revoked, because ${reason}. Ask the owner to revoke ${id}.`)
}
