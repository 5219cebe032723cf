/** Hosts cite only absolute http(s) addresses, but some servers send relative ones. The result is never empty. */
export function absoluteUrl(url: string | undefined, providerUrl: string): string {
  const base = providerUrl.endsWith('/') ? providerUrl : `${providerUrl}/`
  if (url === undefined || !URL.canParse(url, base)) return base
  const resolved = new URL(url, base)
  return /^https?:$/.test(resolved.protocol) ? resolved.href : base
}

export interface Pages {
  /** The address at which this adapter reaches the server. */
  readonly providerUrl: string
  /** The address that the server names as its own. */
  readonly origin: string | undefined
}

/**
 * The console page of a record, if the server has such pages. It is built on the origin that the server names, so that
 * all tools cite a record by the same address (point 25).
 */
export function recordPage(id: string, { providerUrl, origin }: Pages): string {
  return absoluteUrl(`r/${encodeURIComponent(id)}`, origin ?? providerUrl)
}
