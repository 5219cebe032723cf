/** Makes an address absolute, because citations need that and other servers send relative ones. Falls back to the server's address. */
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
  return absoluteUrl(`r/${encodeURIComponent(id)}`, origin ?? providerUrl)
}
