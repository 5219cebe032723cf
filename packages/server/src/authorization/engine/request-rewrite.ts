import { canonicalResource, resourceOf, SCOPE } from '../requests/resources.ts'

/** OpenID Connect parameters that have no effect here, but that the engine refuses without the `openid` scope. */
const IGNORED = ['nonce', 'max_age', 'claims', 'acr_values', 'id_token_hint', 'claims_locales', 'ui_locales', 'display']

/** A parameter that only we set: `owner` if a device asks for full access. */
export const PROFILE = 'pdpp_profile'

/**
 * Rewrites a host's parameters for the engine: one spelling of our resources, one scope, and no parameters without
 * effect.
 */
export function rewriteParameters(path: string, received: URLSearchParams, origin: string): URLSearchParams {
  const params = new URLSearchParams([...received].filter(([name]) => name !== PROFILE && !IGNORED.includes(name)))
  const resources = params.getAll('resource').map((resource) => canonicalResource(origin, resource))
  setAll(params, 'resource', [...new Set(resources)])
  // A pushed request was rewritten when it was pushed.
  if (path === '/oauth/token' || params.has('request_uri')) return params
  if (path === '/oauth/device_authorization' && asksForOwner(params)) {
    params.set(PROFILE, 'owner')
    params.set('resource', resourceOf(origin, 'v1'))
  }
  // A client that names no resource gets a token for both MCP and REST.
  if (!params.has('resource')) setAll(params, 'resource', [resourceOf(origin, 'mcp'), resourceOf(origin, 'v1')])
  params.set('scope', SCOPE)
  // We always ask for consent, so only the prompt "none" matters: the owner must not be asked.
  if (params.get('prompt') !== 'none') params.delete('prompt')
  // Refuse it, because the engine would answer with a page that submits itself by a script.
  if (params.get('response_mode') === 'form_post') params.set('response_mode', 'form_post_is_not_supported')
  return params
}

/** A device that names no resource, scope or details asks for full access. Any other asks for a grant. */
function asksForOwner(params: URLSearchParams): boolean {
  return !['resource', 'authorization_details', 'scope'].some((name) => params.has(name))
}

function setAll(params: URLSearchParams, name: string, values: readonly string[]): void {
  params.delete(name)
  for (const value of values) params.append(name, value)
}
