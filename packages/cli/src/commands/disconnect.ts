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

/** Revokes first: what is forgotten here could not be revoked from here any more. */
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
        `${providerUrl} does not answer, so the token cannot be revoked. It is still kept.`,
        'Try again later, or forget it with --forget and ask the owner to revoke it.',
      )
    cache.forget(grant)
    if (outcome !== 'revoked') warn(outcome, id)
    results.push({ provider_url: providerUrl, grant_id: id, revoked: outcome === 'revoked', forgotten: true })
  }
  if (options.json) return printJson({ object: 'list', data: results })
  for (const { grant_id: id, revoked } of results)
    printLine(revoked ? `Revoked and forgotten: ${id} at ${providerUrl}.` : `Forgotten: ${id} at ${providerUrl}.`)
}

function chosen(cache: CredentialCache, providerUrl: string, options: DisconnectOptions): CachedGrant[] {
  const found = options.all
    ? cache.list(providerUrl)
    : [cache.find(providerUrl, options.grant)].filter((each) => each !== undefined)
  if (found.length > 0) return found
  const what = options.grant === undefined ? 'Nothing is connected' : `Grant ${options.grant} is not cached`
  throw new CommandFailure(EXIT.notFound, `${what} for ${providerUrl}.`, '`pdpp status` lists what is.')
}

function warn(outcome: Exclude<Revocation, 'revoked'>, id: string): void {
  const reason = outcome === 'unreachable' ? 'the server does not answer' : 'the server lets no client do that'
  printWarning('not_revoked', `The token was not revoked, because ${reason}. Ask the owner to revoke ${id}.`)
}
