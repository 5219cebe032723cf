/** A citation needs an absolute http(s) address; other servers send relative ones. Never empty. */
export function absoluteUrl(url: string | undefined, providerUrl: string): string {
  const base = providerUrl.endsWith('/') ? providerUrl : `${providerUrl}/`
  if (url === undefined || !URL.canParse(url, base)) return base
  const resolved = new URL(url, base)
  return /^https?:$/.test(resolved.protocol) ? resolved.href : base
}

/** The page that shows a record to its owner: what a citation leads to where the server has such pages. */
export function recordPage(id: string, providerUrl: string): string {
  return absoluteUrl(`r/${encodeURIComponent(id)}`, providerUrl)
}
