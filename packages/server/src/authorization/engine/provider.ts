import { PdppError } from '@pdpp/protocol'
import type { default as Provider, TokenEndpointGrantContext } from 'oidc-provider'
import { plainAscii } from '../../lib/plain-ascii.ts'
import { type OwnerReferences, tokenText } from '../../tokens/owner-references.ts'
import type { Audience } from '../../tokens/token-store.ts'
import { audienceOf } from '../requests/resources.ts'
import type { Authorization } from '../stores/authorization-store.ts'
import { RefreshRefused } from '../tokens/refresh-service.ts'
import { randomSecret } from '../tokens/secrets.ts'
import { ApprovalEnded } from '../tokens/token-issuer.ts'
import { adapterFor, type EngineTables } from './adapter.ts'
import { engineConfiguration } from './configuration.ts'
import type { EngineOptions } from './engine-options.ts'

export type Library = typeof import('oidc-provider')
type Ctx = NonNullable<typeof Provider.ctx>

/** Creates the engine for one origin, with our tables and our refresh tokens. */
export function makeProvider(origin: string, library: Library, options: EngineOptions): Provider {
  const { default: Engine, errors, interactionPolicy } = library
  const { checkDetails, cookieKeys, log, authorizations } = options
  const provider = new Engine(
    origin,
    engineConfiguration({
      origin,
      cookieKeys,
      library: { errors, interactionPolicy },
      adapter: adapterFor(origin, tablesFor(origin, library, options)),
      checkDetails: (text) => {
        try {
          checkDetails(text)
        } catch (error) {
          if (error instanceof PdppError) throw new errors.InvalidAuthorizationDetails(plainAscii(error.message))
          throw error
        }
      },
      mayRefresh: async (id) => {
        const found = await authorizations.find(id)
        return found !== undefined && !found.singleUse && found.kind !== 'owner'
      },
    }),
  )
  nameOwners(provider, options.references)
  provider.registerGrantType(
    'refresh_token',
    (ctx) => refresh(ctx, origin, library, options),
    ['refresh_token', 'scope', 'resource', 'authorization_details'],
    ['resource'],
  )
  const logError = (error: Error) => log(`authorization server: ${error.stack ?? error}`)
  provider.on('server_error', (_ctx, error) => logError(error))
  // An event of Koa, which the engine's types omit.
  ;(provider as unknown as NodeJS.EventEmitter).on('error', logError)
  return provider
}

function tablesFor(origin: string, { errors, default: Engine }: Library, options: EngineOptions): EngineTables {
  const { artifacts, authorizations, clients, issuer, refresh, references } = options
  const context = () => Engine.ctx!
  return {
    artifacts,
    // Never fetches a client document: the start of the flow did, and a token request uses the client as approved.
    findClient: (id) => clients.find(id),
    findAuthorization: async (id) => {
      const found = await authorizations.find(id)
      // The code that makes the token's text cannot wait, so load the reference first.
      if (found) await references.of(found.subjectId)
      return found?.revokedAt === undefined ? found : undefined
    },
    issueAccessToken: async (bearer, id) => {
      const ctx = context()
      const authorization = (await authorizations.find(id))!
      const audience = requestedAudience(ctx, origin, authorization, errors)
      try {
        ctx.state['issued'] = await issuer.issue(bearer, authorization, { audience })
      } catch (error) {
        if (error instanceof ApprovalEnded || error instanceof PdppError) throw new errors.InvalidGrant(error.message)
        throw error
      }
    },
    issueRefreshToken: async (token, id) => refresh.start(token, (await authorizations.find(id))!),
    revoke: async (id) => void (await authorizations.revoke(id, Date.now())),
    alreadyUsed: () => new errors.InvalidGrant('already used'),
  }
}

async function refresh(
  ctx: TokenEndpointGrantContext,
  origin: string,
  { errors }: Library,
  { refresh, issuer, references }: EngineOptions,
): Promise<void> {
  const token = ctx.oidc.params['refresh_token']
  if (typeof token !== 'string') throw new errors.InvalidRequest('missing refresh_token')
  try {
    const audienceOfToken = (authorization: Authorization) => requestedAudience(ctx, origin, authorization, errors)
    const { authorization, refreshToken } = await refresh.rotate(token, ctx.oidc.client.clientId, audienceOfToken)
    const audience = audienceOfToken(authorization)
    const bearer = tokenText(await references.of(authorization.subjectId), randomSecret())
    const issued = await issuer.issue(bearer, authorization, { audience })
    ctx.body = { ...issued, refresh_token: refreshToken }
  } catch (error) {
    if (error instanceof ApprovalEnded) ctx.state['fresh'] = true
    if (error instanceof ApprovalEnded || error instanceof RefreshRefused) throw new errors.InvalidGrant(error.message)
    throw error
  }
}

/** The audiences that a token request names, which must be approved ones. If it names none, all approved ones. */
function requestedAudience(
  ctx: Ctx | TokenEndpointGrantContext,
  origin: string,
  { audiences }: Authorization,
  errors: Library['errors'],
): readonly Audience[] {
  const resources = [ctx.oidc.params?.['resource']].flat().filter((one): one is string => typeof one === 'string')
  if (resources.length === 0) return audiences
  const requested = new Set(resources.map((one) => audienceOf(origin, one)))
  if ([...requested].some((one) => one === undefined || !audiences.includes(one))) throw new errors.InvalidTarget()
  return audiences.filter((one) => requested.has(one))
}

interface TokenModel {
  readonly accountId: string
  generateTokenId(): string
}

/** Adds the owner's reference, and a prefix by which people recognise our tokens in a log or a leaked file. */
function nameOwners({ AccessToken, RefreshToken }: Provider, references: OwnerReferences): void {
  for (const { prototype } of [AccessToken, RefreshToken] as unknown as { prototype: TokenModel }[]) {
    const { generateTokenId } = prototype
    prototype.generateTokenId = function () {
      return tokenText(references.known(this.accountId), generateTokenId.call(this))
    }
  }
}
