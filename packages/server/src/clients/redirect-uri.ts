const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Schemes of applications that run agents. Each scheme opens only that application. */
const APPLICATIONS = new Set(
  'antigravity claude code-oss cursor goose kiro opencode positron raycast trae vscode vscode-insiders vscodium warp windsurf windsurf-next zed'.split(
    ' ',
  ),
)
/** RFC 8252 section 7.1: a scheme that begins with a domain, such as com.example.app. */
const REVERSE_DOMAIN = /^[a-z]{2,}(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/
/** Reverse-domain schemes that open parts of an operating system. */
const SYSTEM = /^(com\.)?(android|apple|microsoft|windows)\./

/** Parameters of an answer (RFC 6749, RFC 9207). A redirect URI that has one already would be ambiguous. */
const ANSWER_PARAMETERS =
  'access_token code error error_description error_uri id_token iss response state token_type'.split(' ')

const MAX_LENGTH = 2000

/**
 * The reason why codes must not be sent to an address; undefined if they may be sent there (RFC 8252, RFC 9700 section
 * 2.1). This server's own origin (`ownOrigin`) is refused, because a redirect to ourselves would look like a request of
 * the owner.
 */
export function redirectUriProblem(uri: unknown, ownOrigin?: string): string | undefined {
  if (typeof uri !== 'string' || uri === '') return 'must be a string'
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`
  // Redirect URIs are compared as strings, so we refuse everything that a parser would repair or drop.
  if (/[\s\\*\p{C}]/u.test(uri) || !/^[\x21-\x7e]+$/.test(uri))
    return 'must be plain ASCII without spaces, backslashes and asterisks'
  const url = URL.parse(uri)
  if (!url) return 'must be an absolute URI'
  if (uri.includes('#')) return 'must not have a fragment'
  const authority = /^[^:]+:\/\/([^/?#]*)/.exec(uri)?.[1]
  if (url.username !== '' || url.password !== '' || authority?.includes('@')) return 'must not have user information'
  const reserved = ANSWER_PARAMETERS.find((name) => url.searchParams.has(name))
  if (reserved !== undefined) return `must not have the parameter "${reserved}", which is part of the answer`
  if (ownOrigin !== undefined && isOwn(url, new URL(ownOrigin))) return 'must not be an address of this server'
  return schemeProblem(url, authority)
}

function schemeProblem(url: URL, authority: string | undefined): string | undefined {
  const scheme = url.protocol.slice(0, -1)
  if (scheme === 'https') {
    // The parser accepts characters in host names, such as ;, that would break our Content-Security-Policy.
    if (!authority || !/^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(url.hostname)) return 'must name a host'
    return LOOPBACK.has(url.hostname) ? 'must use http for a loopback address' : undefined
  }
  if (scheme === 'http') return isLoopbackRedirect(url) ? undefined : 'may use http for a loopback address only'
  const known = APPLICATIONS.has(scheme) || (REVERSE_DOMAIN.test(scheme) && !SYSTEM.test(scheme))
  if (!known)
    return `must not use the scheme ${scheme}: use https, http on loopback, or a scheme that begins with a domain, such as com.example.app`
  return url.href.slice(scheme.length + 1).startsWith('/')
    ? undefined
    : 'must have a slash after the colon of its scheme'
}

/** True for this server's own address, under any loopback name. A loopback address without a port means any port. */
function isOwn(url: URL, own: URL): boolean {
  if (isLoopbackRedirect(url)) return url.port !== '' && url.port === own.port && isLoopbackRedirect(own)
  return url.origin === own.origin && url.origin !== 'null'
}

/** True if a code sent to this address stays on the same device. */
export function isLoopbackRedirect(uri: string | URL): boolean {
  const url = typeof uri === 'string' ? URL.parse(uri) : uri
  return url?.protocol === 'http:' && LOOPBACK.has(url.hostname)
}
