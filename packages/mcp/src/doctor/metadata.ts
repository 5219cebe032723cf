import { textOf } from '../resource-server/envelope.ts'

/** Puts the issuer's path after the well-known part (RFC 8414 section 3.1). */
export function metadataUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/+$/, '')}`
}

/** An endpoint from the metadata, if it is an http(s) address. */
export function endpoint(metadata: Record<string, unknown>, name: string): string | undefined {
  const url = textOf(metadata[name])
  return url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined
}
