import { canonicalResource, resourceOf, SCOPE } from '../requests/resources.ts'

/** Parameters of OpenID Connect that decide nothing here, but that the engine refuses without `openid`. */
const IGNORED = ['nonce', 'max_age', 'claims', 'acr_values', 'id_token_hint', 'claims_locales', 'ui_locales', 'display']

/** Set by us alone: what a device asks to become. */
export const PROFILE = 'pdpp_profile'

/** What a host sends, made into what the engine reads: our resources in one spelling, the one scope, no noise. */
export function rewriteParameters(path: string, given: URLSearchParams, origin: string): URLSearchParams {
  const params = new URLSearchParams([...given].filter(([name]) => name !== PROFILE && !IGNORED.includes(name)))
  const resources = params.getAll('resource').map((resource) => canonicalResource(origin, resource))
  setAll(params, 'resource', [...new Set(resources)])
  // A pushed request was rewritten when it was pushed.
  if (path === '/oauth/token' || params.has('request_uri')) return params
  if (path === '/oauth/device_authorization' && asksForOwner(params)) {
    params.set(PROFILE, 'owner')
    params.set('resource', resourceOf(origin, 'v1'))
  }
  // Not restricted by the client, so not restricted: both places take the token.
  if (!params.has('resource')) setAll(params, 'resource', [resourceOf(origin, 'mcp'), resourceOf(origin, 'v1')])
  params.set('scope', SCOPE)
  // Consent is always asked, whatever the prompt; only "none" means something: that nobody may be asked.
  if (params.get('prompt') !== 'none') params.delete('prompt')
  // The engine would answer with a page that submits itself by a script.
  if (params.get('response_mode') === 'form_post') params.set('response_mode', 'form_post_is_not_supported')
  return params
}

/** The owner's own device names nothing; whoever names a resource, a scope or details asks for a grant. */
function asksForOwner(params: URLSearchParams): boolean {
  return !['resource', 'authorization_details', 'scope'].some((name) => params.has(name))
}

function setAll(params: URLSearchParams, name: string, values: readonly string[]): void {
  params.delete(name)
  for (const value of values) params.append(name, value)
}
