import { PdppError } from '@pdpp/protocol'
import type { default as Provider, TokenEndpointGrantContext } from 'oidc-provider'
import type { ClientService } from '../../clients/client-service.ts'
import { LruCache } from '../../lib/lru-cache.ts'
import type { Audience } from '../../tokens/token-store.ts'
import type { ArtifactStore } from '../artifact-store.ts'
import type { Authorization, AuthorizationStore } from '../authorization-store.ts'
import { RefreshRefused, type RefreshService } from '../refresh-service.ts'
import { audienceOf } from '../resources.ts'
import { randomSecret } from '../secrets.ts'
import { ApprovalEnded, type TokenIssuer } from '../token-issuer.ts'
import { adapterFor, type EngineTables } from './adapter.ts'
import { Answers } from './answers.ts'
import { callNodeHandler } from './bridge.ts'
import { engineConfiguration } from './configuration.ts'
import { clientPayload, grantPayload } from './payloads.ts'
import { rewriteParameters } from './request-rewrite.ts'

type Library = typeof import('oidc-provider')
type Ctx = NonNullable<typeof Provider.ctx>

/** Routes where a flow begins. */
const BEGINNINGS = new Set(['authorization', 'pushed_authorization_request', 'device_authorization'])

/** Names of one machine, and the hosts that are configured: never more than a few. */
const MAX_ORIGINS = 16

export interface EngineOptions {
  readonly artifacts: ArtifactStore
  readonly authorizations: AuthorizationStore
  readonly clients: ClientService
  readonly issuer: TokenIssuer
  readonly refresh: RefreshService
  readonly cookieKeys: readonly string[]
  checkDetails(text: string): Promise<void>
  log(line: string): void
}

export interface EngineRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly origin: string
  readonly address: string
}

/** An authorization request that waits for the owner's decision. */
export interface Interaction {
  readonly clientId: string
  readonly redirectUri: string
  readonly details: string | undefined
  readonly audiences: readonly Audience[]
  readonly expiresAt: number
}

interface Flow {
  provider: Provider
  handler: ReturnType<Provider['callback']>
}

/**
 * The protocol engine: authorization requests, pushed ones, device authorization and the token endpoint. The only
 * place that knows oidc-provider; loaded with the first request that needs it, and made once for each origin of ours.
 */
export class Engine {
  readonly #options: EngineOptions
  readonly #flows = new LruCache<string, Flow>(MAX_ORIGINS)
  readonly #answers = new Answers()
  #library: Promise<Library> | undefined

  constructor(options: EngineOptions) {
    this.#options = options
  }

  async fetch(request: EngineRequest): Promise<Response> {
    const { handler } = await this.#flow(request.origin)
    const { path, origin, method, address } = request
    const query = rewriteParameters(path, request.query, origin)
    const body = request.form && rewriteParameters(path, request.form, origin).toString()
    const headers = {
      accept: 'application/json',
      ...(request.headers['cookie'] === undefined ? {} : { cookie: withoutFlow(request.headers['cookie']) }),
      ...(request.headers['authorization'] === undefined ? {} : { authorization: request.headers['authorization'] }),
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const url = method === 'GET' && query.size > 0 ? `${path}?${query}` : path
    return callNodeHandler(handler, { method, origin, url, headers, body, address })
  }

  async interaction(origin: string, uid: string): Promise<Interaction | undefined> {
    const { provider } = await this.#flow(origin)
    const found = await provider.Interaction.find(uid)
    if (!found) return
    const { client_id: clientId, redirect_uri: redirectUri, authorization_details: details, resource } = found.params
    const resources = [resource].flat().filter((one): one is string => typeof one === 'string')
    return {
      clientId: String(clientId),
      redirectUri: String(redirectUri),
      details: typeof details === 'string' ? details : details === undefined ? undefined : JSON.stringify(details),
      audiences: resources.map((one) => audienceOf(origin, one)).filter((one) => one !== undefined),
      expiresAt: (found.exp ?? 0) * 1000,
    }
  }

  /** Tells the waiting request what the owner decided; answers where the browser goes on. */
  async finish(
    origin: string,
    uid: string,
    outcome: { subjectId: string; authorizationId: string } | { error: string; error_description: string },
  ): Promise<string | undefined> {
    const { provider } = await this.#flow(origin)
    const found = await provider.Interaction.find(uid)
    if (!found) return
    found.result =
      'error' in outcome
        ? outcome
        : {
            login: { accountId: outcome.subjectId, remember: false },
            consent: { grantId: outcome.authorizationId },
          }
    await found.persist()
    return new URL(found.returnTo).pathname
  }

  async #flow(origin: string): Promise<Flow> {
    this.#library ??= import('oidc-provider')
    const library = await this.#library
    return this.#flows.get(origin) ?? this.#flows.set(origin, this.#make(origin, library))
  }

  #make(origin: string, library: Library): Flow {
    const { default: Engine, errors, interactionPolicy } = library
    const { checkDetails, cookieKeys, log, authorizations } = this.#options
    const provider = new Engine(
      origin,
      engineConfiguration({
        origin,
        cookieKeys,
        library: { errors, interactionPolicy },
        adapter: adapterFor(this.#tables(origin, library)),
        checkDetails: (text) =>
          checkDetails(text).catch((error) => {
            if (error instanceof PdppError) throw new errors.InvalidAuthorizationDetails(ascii(error.message))
            throw error
          }),
        mayRefresh: async (id) => {
          const found = await authorizations.find(id)
          return found !== undefined && !found.singleUse && (found.grantId ?? found.packageId) !== undefined
        },
      }),
    )
    nameTokens(provider)
    provider.registerGrantType(
      'refresh_token',
      (ctx) => this.#refresh(ctx, origin, library),
      ['refresh_token', 'scope', 'resource', 'authorization_details'],
      ['resource'],
    )
    provider.use(async (ctx, next) => {
      await next()
      this.#answers.finish(ctx as Ctx)
    })
    const tell = (error: Error) => log(`authorization server: ${error.stack ?? error}`)
    provider.on('server_error', (_ctx, error) => tell(error))
    // Koa's own event, which the engine's types leave out.
    ;(provider as unknown as NodeJS.EventEmitter).on('error', tell)
    return { provider, handler: provider.callback() }
  }

  #tables(origin: string, { errors, default: Engine }: Library): EngineTables {
    const { artifacts, authorizations, clients, issuer, refresh } = this.#options
    const context = () => Engine.ctx!
    return {
      artifacts,
      // Only where a flow begins may the network be asked: a token request uses what was approved.
      findClient: async (id) => {
        const begins = BEGINNINGS.has(Engine.ctx?.oidc?.route ?? '')
        try {
          return await (begins ? clients.resolve(id) : clients.find(id))
        } catch (error) {
          if (error instanceof PdppError) return
          throw error
        }
      },
      findAuthorization: async (id) => {
        const found = await authorizations.find(id)
        return found?.revokedAt === undefined ? found : undefined
      },
      issueAccessToken: async (bearer, id) => {
        const ctx = context()
        const authorization = (await authorizations.find(id))!
        const audience = audienceAsked(ctx, origin, authorization, errors)
        try {
          ctx.state['issued'] = await issuer.issue(bearer, authorization, { audience })
        } catch (error) {
          if (error instanceof ApprovalEnded || error instanceof PdppError) throw new errors.InvalidGrant(error.message)
          throw error
        }
      },
      issueRefreshToken: async (token, id) => refresh.start(token, (await authorizations.find(id))!),
      revoke: async (id) => void (await authorizations.revoke(id, Date.now())),
      clientPayload,
      grantPayload: (authorization) => grantPayload(authorization, origin),
      alreadyUsed: () => new errors.InvalidGrant('already used'),
    }
  }

  async #refresh(ctx: TokenEndpointGrantContext, origin: string, { errors }: Library): Promise<void> {
    const { refresh, issuer } = this.#options
    const token = ctx.oidc.params['refresh_token']
    if (typeof token !== 'string') throw new errors.InvalidRequest('missing refresh_token')
    try {
      const { authorization, refreshToken } = await refresh.rotate(token, ctx.oidc.client.clientId)
      const audience = audienceAsked(ctx, origin, authorization, errors)
      const issued = await issuer.issue(newBearer(), authorization, { audience })
      ctx.body = { ...issued, refresh_token: refreshToken }
    } catch (error) {
      if (error instanceof ApprovalEnded) ctx.state['fresh'] = true
      if (error instanceof ApprovalEnded || error instanceof RefreshRefused)
        throw new errors.InvalidGrant(error.message)
      throw error
    }
  }
}

/** The places that a token request names, which have to be among those that were approved; all of them without. */
function audienceAsked(
  ctx: Ctx | TokenEndpointGrantContext,
  origin: string,
  { audiences }: Authorization,
  errors: Library['errors'],
): readonly Audience[] {
  const asked = [ctx.oidc.params?.['resource']].flat().filter((one): one is string => typeof one === 'string')
  if (asked.length === 0) return audiences
  const named = new Set(asked.map((one) => audienceOf(origin, one)))
  if ([...named].some((one) => one === undefined || !audiences.includes(one))) throw new errors.InvalidTarget()
  return audiences.filter((one) => named.has(one))
}

const newBearer = (): string => `pdpp_${randomSecret()}`

/** Our tokens can be told from others, in a log or a leaked file. The engine's own method also sets the format. */
function nameTokens(provider: Provider): void {
  const prototype = provider.AccessToken.prototype as unknown as { generateTokenId(): string }
  const { generateTokenId } = prototype
  prototype.generateTokenId = function () {
    return `pdpp_${generateTokenId.call(this)}`
  }
}

/** Each flow has an engine session of its own: one that is shared by two tabs would make them fail each other. */
function withoutFlow(cookies: string): string {
  return cookies
    .split(';')
    .filter((pair) => !/^\s*(__Secure-)?pdpp_flow(\.sig)?=/.test(pair))
    .join(';')
}

/** RFC 6749 section 5.2 allows these characters in a description, and no others. */
export function ascii(text: string): string {
  return text.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
