const MAX_CHARS = 2000

/** Where to go after signing in: a path of ours, or the start page. Never another origin, whatever a link says. */
export function returnPath(text: string | undefined): string {
  if (text === undefined || text.length > MAX_CHARS || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\'))
    return '/'
  const url = URL.canParse(text, 'https://here.invalid') ? new URL(text, 'https://here.invalid') : undefined
  if (url?.origin !== 'https://here.invalid' || /^\/owner\/sign-(in|out)(\/|$)/.test(url.pathname)) return '/'
  // What the parser made of it: dot segments can leave two slashes at the front.
  const path = url.pathname + url.search
  return path.startsWith('//') ? '/' : path
}

export function returnQuery(path: string): string {
  const safe = returnPath(path)
  return safe === '/' ? '' : `?return_to=${encodeURIComponent(safe)}`
}
