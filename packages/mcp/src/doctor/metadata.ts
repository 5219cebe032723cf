import { textOf } from '../resource-server/envelope.ts'

/** The path of an issuer comes after the well-known part (RFC 8414 section 3.1). */
export function metadataUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/+$/, '')}`
}

/** An address of the metadata, if it is one that may be called. */
export function endpoint(metadata: Record<string, unknown>, name: string): string | undefined {
  const url = textOf(metadata[name])
  return url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined
}
