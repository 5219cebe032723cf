const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Schemes that run, read or send something by themselves, or that belong to a browser. */
const REFUSED_SCHEMES = new Set(
  'about blob chrome chrome-extension data facetime feed file filesystem ftp intent itms-apps jar javascript mailto ms-msdt search-ms sms tel urn vbscript view-source ws wss'.split(
    ' ',
  ),
)

const MAX_LENGTH = 2000

/** Why an address cannot be registered to send codes to; undefined when it can (RFC 8252, RFC 9700 section 2.1). */
export function redirectUriMistake(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || uri === '') return 'must be a string'
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`
  // What a parser would repair or drop is refused: the string is compared as it stands.
  if (/[\s\\*\p{C}]/u.test(uri) || !/^[\x21-\x7e]+$/.test(uri)) return 'must be plain ASCII without spaces, "\\" or "*"'
  const url = URL.parse(uri)
  if (!url) return 'must be an absolute URI'
  if (uri.includes('#')) return 'must not have a fragment'
  const authority = /^[^:]+:\/\/([^/?#]*)/.exec(uri)?.[1]
  if (url.username !== '' || url.password !== '' || authority?.includes('@')) return 'must not have user information'
  return schemeMistake(url, authority)
}

function schemeMistake(url: URL, authority: string | undefined): string | undefined {
  const scheme = url.protocol.slice(0, -1)
  if (scheme === 'https') {
    // The parser lets signs into a name that no host has, and that would be read as our own in a policy.
    if (!authority || !/^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(url.hostname)) return 'must name a host'
    return LOOPBACK.has(url.hostname) ? 'must use http for a loopback address' : undefined
  }
  if (scheme === 'http') return isLoopbackRedirect(url) ? undefined : 'may use http for a loopback address only'
  if (REFUSED_SCHEMES.has(scheme)) return `must not use the ${scheme}: scheme`
  // An application's own scheme, such as cursor://…; which application answers to it is the device's business.
  return url.href.slice(scheme.length + 1).startsWith('/') ? undefined : 'must be written as scheme://… or scheme:/…'
}

/** Whether a code sent here stays on the device that asked. */
export function isLoopbackRedirect(uri: string | URL): boolean {
  const url = typeof uri === 'string' ? URL.parse(uri) : uri
  return url?.protocol === 'http:' && LOOPBACK.has(url.hostname)
}
