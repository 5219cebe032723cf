const MAX_CHARS = 2000

/** The page to open after sign-in: a path of this server, or the start page. No link can lead to another origin. */
export function returnPath(text: string | undefined): string {
  if (text === undefined || text.length > MAX_CHARS || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\'))
    return '/'
  const url = URL.canParse(text, 'https://here.invalid') ? new URL(text, 'https://here.invalid') : undefined
  if (url?.origin !== 'https://here.invalid' || /^\/owner\/sign-(in|out)(\/|$)/.test(url.pathname)) return '/'
  // Resolving dot segments can leave two leading slashes, which a browser reads as another host.
  const path = url.pathname + url.search
  return path.startsWith('//') ? '/' : path
}

export function returnQuery(path: string): string {
  const safe = returnPath(path)
  return safe === '/' ? '' : `?return_to=${encodeURIComponent(safe)}`
}
