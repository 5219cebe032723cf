/** Path and query of a request, as a URL parser writes them. */
export interface RequestTarget {
  readonly path: string
  /** With its question mark; empty without a query. */
  readonly search: string
  readonly params: URLSearchParams
}

/** Characters that a URL parser leaves unchanged. A dot may be part of "..", and a percent sign may hide one. */
const PLAIN_PATH = /^(?:\/[\w~!$&()*+,;=:@-][\w~!$&()*+,;=:@.-]*)+$/
const PLAIN_SEARCH = /^[\w~!$&()*+,;=:@/?.%[\]-]*$/
const NO_PARAMS = new URLSearchParams()

/** Avoids the URL parser for most requests, because it costs more than reading a record. */
export function requestTarget(url: string): RequestTarget {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const mark = url.indexOf('?', start)
  const path = mark === -1 ? url.slice(start) : url.slice(start, mark)
  const search = mark === -1 ? '' : url.slice(mark)
  if (start === -1 || !PLAIN_PATH.test(path) || !PLAIN_SEARCH.test(search)) return parsedTarget(url)
  if (search.length < 2) return { path, search: '', params: NO_PARAMS }
  return { path, search, params: new URLSearchParams(search) }
}

function parsedTarget(url: string): RequestTarget {
  const { pathname, search, searchParams } = new URL(url)
  return { path: pathname, search, params: searchParams }
}
