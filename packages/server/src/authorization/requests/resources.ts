import type { Audience } from '../../tokens/token-store.ts'

export const SCOPE = 'pdpp:read'

/** The name of each place where tokens are taken, as `resource` gives it (RFC 8707). */
export function resourceOf(origin: string, audience: Audience): string {
  return `${origin}/${audience}`
}

/** The place that a `resource` means; undefined when it is none of ours. A slash at the end is no difference. */
export function audienceOf(origin: string, resource: string): Audience | undefined {
  const url = URL.parse(resource)
  if (!url || url.origin !== origin || url.search !== '' || resource.includes('#') || url.username !== '') return
  switch (url.pathname.replace(/\/+$/, '')) {
    case '/mcp':
      return 'mcp'
    case '/mcp/developer':
      return 'mcp/developer'
    // The whole origin is what the protected resource metadata calls the REST surface.
    case '':
    case '/v1':
      return 'v1'
    default:
      return
  }
}

/** The place that one of our resources names, whatever name of ours it begins with. */
export function placeOf(resource: string): Audience {
  return audienceOf(new URL(resource).origin, resource)!
}

/** Ours in one spelling, so that a request and its token request agree; others are left for the engine to refuse. */
export function canonicalResource(origin: string, resource: string): string {
  const audience = audienceOf(origin, resource)
  return audience === undefined ? resource : resourceOf(origin, audience)
}
