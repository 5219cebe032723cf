import type { Audience } from '../../tokens/token-store.ts'

export const SCOPE = 'pdpp:read'

/** The `resource` URI of an audience (RFC 8707). */
export function resourceOf(origin: string, audience: Audience): string {
  return `${origin}/${audience}`
}

/** The audience of a `resource` URI; undefined if it is not ours. Ignores slashes at the end. */
export function audienceOf(origin: string, resource: string): Audience | undefined {
  const url = URL.parse(resource)
  if (!url || url.origin !== origin || url.search !== '' || resource.includes('#') || url.username !== '') return
  switch (url.pathname.replace(/\/+$/, '')) {
    case '/mcp':
      return 'mcp'
    case '/mcp/developer':
      return 'mcp/developer'
    // The protected resource metadata names the REST surface by the origin alone.
    case '':
    case '/v1':
      return 'v1'
    default:
      return
  }
}

/** The audience of a resource that is known to be ours, at any of our origins. */
export function ownAudienceOf(resource: string): Audience {
  return audienceOf(new URL(resource).origin, resource)!
}

/**
 * Rewrites a resource of ours to one spelling, so that a request and its token request agree. Leaves any other for the
 * engine to refuse.
 */
export function canonicalResource(origin: string, resource: string): string {
  const audience = audienceOf(origin, resource)
  return audience === undefined ? resource : resourceOf(origin, audience)
}
