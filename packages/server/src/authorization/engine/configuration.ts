import { generateKeyPairSync } from 'node:crypto'
import type { Adapter, Configuration, errors as Errors, interactionPolicy as Policy } from 'oidc-provider'
import { CONSENT_PATH } from '../consent/paths.ts'
import { DATA_ACCESS } from '../requests/authorization-details.ts'
import { audienceOf, resourceOf, SCOPE } from '../requests/resources.ts'
import { PROFILE } from './request-rewrite.ts'

export interface EngineSettings {
  readonly origin: string
  readonly adapter: (kind: string) => Adapter
  readonly cookieKeys: readonly string[]
  /** Throws if `authorization_details` are malformed. */
  checkDetails(text: string): void
  mayRefresh(authorizationId: string): Promise<boolean>
  readonly library: { readonly errors: typeof Errors; readonly interactionPolicy: typeof Policy }
}

/** Lifetimes in seconds. Those of access tokens, refresh tokens and grants have no effect: our own tables decide. */
const TTL = {
  AuthorizationCode: 60,
  DeviceCode: 600,
  Interaction: 900,
  Session: 900,
  AccessToken: 600,
  RefreshToken: 600,
  IdToken: 600,
  Grant: 86_400,
}

/** Our settings for the engine: always PKCE, always consent, opaque tokens, nothing of OpenID Connect. */
export function engineConfiguration(settings: EngineSettings): Configuration {
  const { origin, library, cookieKeys } = settings
  const secure = origin.startsWith('https:')
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true, overwrite: true } as const
  const name = (text: string) => (secure ? `__Secure-${text}` : text)
  return {
    adapter: settings.adapter,
    jwks: { keys: [signingKey()] },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      pushed_authorization_request: '/oauth/par',
      device_authorization: '/oauth/device_authorization',
    },
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    // Our only scope belongs to the resources. Listed here as well, it would need a second approval.
    scopes: [],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    enableHttpPostMethods: false,
    ttl: TTL,
    cookies: {
      keys: [...cookieKeys],
      names: { session: name('pdpp_flow'), interaction: name('pdpp_interaction'), resume: name('pdpp_resume') },
      long: { ...cookie, path: '/oauth' },
      short: cookie,
    },
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      id_token_signed_response_alg: 'ES256',
      authorization_details_types: [DATA_ACCESS],
    } as NonNullable<Configuration['clientDefaults']>,
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: {
      policy: alwaysAsk(library.interactionPolicy),
      url: (_ctx, interaction) => `${CONSENT_PATH}/${interaction.uid}`,
    },
    // An approval is valid for the request that it answered, never for a later one.
    loadExistingGrant: (ctx) => {
      const id = (ctx.oidc.result?.['consent'] as { grantId?: string } | undefined)?.grantId
      return id === undefined ? Promise.resolve(undefined) : ctx.oidc.provider.Grant.find(id)
    },
    issueRefreshToken: (_ctx, _client, source) => settings.mayRefresh(source.grantId ?? ''),
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    extraParams: {
      // The engine calls this for every authorization request, even if the parameter is absent.
      [PROFILE]: (ctx) => {
        const details = ctx.oidc.params?.['authorization_details']
        if (typeof details === 'string') settings.checkDetails(details)
      },
    },
    renderError: (ctx, out) => {
      ctx.type = 'json'
      ctx.body = out
    },
    features: features(settings),
  }
}

function features({ origin, library: { errors } }: EngineSettings): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    dPoP: { enabled: false },
    registration: { enabled: false },
    revocation: { enabled: false },
    introspection: { enabled: false },
    pushedAuthorizationRequests: { enabled: true },
    deviceFlow: {
      enabled: true,
      charset: 'base-20',
      mask: '****-****',
      deviceInfo: (ctx: { ip: string }) => ({ ip: ctx.ip }),
    },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      // The engine allows one audience per token. TokenIssuer sets the real audiences.
      defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? resourceOf(origin, 'mcp'),
      getResourceServerInfo: (_ctx, resource) => {
        if (audienceOf(origin, resource) === undefined) throw new errors.InvalidTarget('unknown resource')
        return { scope: SCOPE, audience: resource, accessTokenFormat: 'opaque' }
      },
    },
    richAuthorizationRequests: {
      enabled: true,
      // The check in `extraParams` validates all details together.
      types: { [DATA_ACCESS]: { validate: () => undefined } },
      authorizationDetailsForGrantSource: () => undefined,
      authorizationDetailsForAccessToken: () => undefined,
    },
  } as NonNullable<Configuration['features']>
}

/** Asks the owner every time, even if they are signed in or approved the client before. */
function alwaysAsk(policy: typeof Policy) {
  const prompts = policy.base()
  const consent = prompts.get('consent')!
  consent.checks.add(
    new policy.Check(
      'always',
      'the owner has to be asked',
      'interaction_required',
      (ctx) => !ctx.oidc.result?.['consent'],
    ),
  )
  return prompts
}

/** The engine requires a signing key, although it signs nothing: no ID tokens exist, and access tokens are opaque. */
function signingKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }
}
