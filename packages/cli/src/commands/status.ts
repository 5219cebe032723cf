import {
  CachedBearer,
  type CachedGrant,
  type CredentialCache,
  grantOf,
  HttpResourceServer,
  isOwnerCredential,
  objectOf,
} from '@pdpp/mcp-server/client'
import { providerAddress } from '../provider/address.ts'
import { openCache } from '../provider/connected.ts'
import { reach, reachText, untilText } from '../provider/grant-text.ts'
import { refusal } from '../provider/refusal.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { bold, dim, green, printJson, printLine, printNote, red, yellow } from '../terminal/output.ts'
import { withProgress } from '../terminal/progress.ts'

interface StatusOptions {
  offline?: boolean
  cacheRoot?: string
  json?: boolean
}

type State = 'accepted' | 'refused' | 'unreachable' | 'not asked' | 'owner credential'

interface Found {
  readonly grant: CachedGrant
  readonly latest: boolean
  readonly state: State
  readonly schema?: Record<string, unknown>
  readonly reason?: string
}

/** Lists the cached grants: what each may read, until when, and whether the server accepts it. */
export async function status(url: string | undefined, options: StatusOptions): Promise<void> {
  const cache = openCache(options)
  const providers = url === undefined ? cache.providers() : [providerAddress(url)]
  const grants = providers.flatMap((provider) => {
    const latest = cache.find(provider)
    return cache.list(provider).map((grant) => ({ grant, latest: latest !== undefined && sameGrant(latest, grant) }))
  })
  const found = await withProgress('Asking the servers', () =>
    Promise.all(
      grants.map(
        async (each): Promise<Found> => ({ ...each, ...(await look(cache, each.grant, options.offline === true)) }),
      ),
    ),
  )
  if (options.json) printJson({ object: 'list', cache_root: cache.root, data: found.map(wire) })
  if (found.length === 0)
    throw new CommandFailure(
      EXIT.notAuthenticated,
      `You are not connected${url === undefined ? '' : ` to ${url}`} (looked in ${cache.root}).`,
      'Run: pdpp connect <provider-url>',
    )
  if (options.json) return
  for (const each of found) print(each)
  printNote(`Tokens are in ${cache.root}`)
}

async function look(
  cache: CredentialCache,
  grant: CachedGrant,
  offline: boolean,
): Promise<Pick<Found, 'state' | 'schema' | 'reason'>> {
  if (isOwnerCredential(grant.credential)) return { state: 'owner credential' }
  if (offline) return { state: 'not asked' }
  const server = new HttpResourceServer(grant.credential.provider_url, new CachedBearer(cache, grant, () => {}), {
    surface: 'cli',
  })
  try {
    const reply = await server.get({ path: '/v1/schema', query: [['view', 'compact']], tool: 'cli' })
    if (reply.status === 200) return { state: 'accepted', schema: objectOf(reply.body) }
    const { message, nextStep } = refusal(reply, grant.credential.provider_url)
    return { state: 'refused', reason: `${message} ${nextStep}` }
  } catch {
    return { state: 'unreachable' }
  }
}

const COLOURS: Record<State, (text: string) => string> = {
  accepted: green,
  refused: red,
  unreachable: yellow,
  'not asked': dim,
  'owner credential': red,
}

function print({ grant, latest, state, schema, reason }: Found): void {
  const { provider_url: provider, credential, client, created_at: since } = grant.credential
  printLine(`${bold(provider)}  ${COLOURS[state](state)}`)
  printLine(
    `  Grant      ${grantOf(grant.credential) ?? 'unnamed'}${latest ? '' : dim('  (not the latest; use it with --grant)')}`,
  )
  if (client?.client_name !== undefined) printLine(`  As         ${client.client_name}`)
  printLine(`  Valid      ${untilText(credential)}`)
  if (since !== undefined) printLine(`  Since      ${since.slice(0, 10)}`)
  if (reason !== undefined) printLine(`  Reason     ${reason}`)
  for (const [index, line] of (schema ? reachText(schema) : []).entries())
    printLine(`  ${index === 0 ? 'May read ' : '         '}  ${line}`)
  printLine()
}

function wire({ grant, latest, state, schema }: Found) {
  const { provider_url, client, credential, created_at } = grant.credential
  return {
    provider_url,
    grant_id: grantOf(grant.credential) ?? null,
    client_id: client?.client_id ?? null,
    client_name: client?.client_name ?? null,
    expires_at: credential.expires_at ?? null,
    refreshable: Boolean(credential.refresh_token),
    created_at: created_at ?? null,
    latest,
    state: state.replaceAll(' ', '_'),
    may_read: schema ? reach(schema) : null,
    path: grant.path,
  }
}

const sameGrant = (one: CachedGrant, other: CachedGrant): boolean =>
  grantOf(one.credential) === grantOf(other.credential)
