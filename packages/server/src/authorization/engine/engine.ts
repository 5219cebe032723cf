import type { default as Provider } from 'oidc-provider'
import { LruCache } from '../../lib/caches/lru-cache.ts'
import type { Audience } from '../../tokens/token-store.ts'
import { audienceOf } from '../requests/resources.ts'
import { Answers } from './answers.ts'
import { callNodeHandler } from './bridge.ts'
import type { EngineOptions } from './engine-options.ts'
import { type Library, makeProvider } from './provider.ts'
import { rewriteParameters } from './request-rewrite.ts'

/** Max. providers to keep, one per origin. Normally a few: the machine's names and the configured hosts. */
const MAX_ORIGINS = 16

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
 * The protocol engine: authorization requests, pushed requests, device authorization and the token endpoint. Only this
 * folder knows oidc-provider. The library is loaded with the first request, and each origin has its own provider.
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

  /** Gives the owner's decision to the waiting request. Returns where the browser goes next. */
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
    const provider = makeProvider(origin, library, this.#options)
    provider.use(async (ctx, next) => {
      await next()
      this.#answers.finish(ctx as NonNullable<typeof Provider.ctx>)
    })
    return { provider, handler: provider.callback() }
  }
}

/** Removes the engine's session cookie, so that each flow has its own session. Tabs that share one break each other. */
function withoutFlow(cookies: string): string {
  return cookies
    .split(';')
    .filter((pair) => !/^\s*(__Secure-)?pdpp_flow(\.sig)?=/.test(pair))
    .join(';')
}
