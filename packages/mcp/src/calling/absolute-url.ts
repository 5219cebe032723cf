/** Makes an address absolute for citations, because other servers send relative ones. Defaults to the server's own. */
export function absoluteUrl(url: string | undefined, providerUrl: string): string {
  const base = providerUrl.endsWith('/') ? providerUrl : `${providerUrl}/`
  if (url === undefined || !URL.canParse(url, base)) return base
  const resolved = new URL(url, base)
  return /^https?:$/.test(resolved.protocol) ? resolved.href : base
}

export interface Pages {
  /** The address that we use to reach the server. */
  readonly providerUrl: string
  /** The address that the server names in its metadata. */
  readonly origin: string | undefined
}

/**
 * The page that shows a record to its owner. It uses the address that the server names, so that every tool cites a
 * record by the same address (point 25).
 */
export function recordPage(id: string, { providerUrl, origin }: Pages): string {
  const server = origin ?? providerUrl
  const path = `r/${encodeURIComponent(id)}`
  if (lastBase.server !== server) lastBase = { server, url: baseOf(server) }
  // Every other path is the same when it is parsed, and parsing costs more than the rest of a hit.
  return lastBase.url === undefined || /^r\/\.{0,2}$/.test(path) ? absoluteUrl(path, server) : lastBase.url + path
}

let lastBase: { readonly server: string; readonly url: string | undefined } = { server: '', url: undefined }

/** The part of absolute addresses before a relative path. */
function baseOf(server: string): string | undefined {
  const example = absoluteUrl('r/x', server)
  return example.endsWith('/r/x') ? example.slice(0, -'r/x'.length) : undefined
}
