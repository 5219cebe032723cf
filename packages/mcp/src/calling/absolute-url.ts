/** A citation needs an absolute http(s) address; other servers send relative ones. Never empty. */
export function absoluteUrl(url: string | undefined, providerUrl: string): string {
  const base = providerUrl.endsWith('/') ? providerUrl : `${providerUrl}/`
  if (url === undefined || !URL.canParse(url, base)) return base
  const resolved = new URL(url, base)
  return /^https?:$/.test(resolved.protocol) ? resolved.href : base
}

export interface Pages {
  /** Where the server is reached. */
  readonly providerUrl: string
  /** What it calls itself. */
  readonly origin: string | undefined
}

/**
 * The page that shows a record to its owner: what a citation leads to where the server has such pages. It is where the
 * server says it is, so that every tool cites one record by one address (point 25).
 */
export function recordPage(id: string, { providerUrl, origin }: Pages): string {
  return absoluteUrl(`r/${encodeURIComponent(id)}`, origin ?? providerUrl)
}
