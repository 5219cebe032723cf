/** Scripts depend on these codes, so they must not change. docs/cli.md is generated from this file. */
export const EXIT = {
  done: 0,
  other: 1,
  usage: 2,
  notAuthenticated: 3,
  notPermitted: 4,
  notFound: 5,
  unreachable: 6,
} as const

/** `pdpp mcp` exits with this code for wrong arguments, as `pdpp-mcp-server` does. */
export const EXIT_USAGE_OF_ADAPTER = 64

export const EXIT_MEANINGS: readonly (readonly [number, string])[] = [
  [EXIT.done, 'done'],
  [EXIT.other, 'anything else: the server cannot start, a check of `pdpp doctor` failed, …'],
  [EXIT.usage, 'usage: wrong arguments on the command line, or the server answered 400'],
  [EXIT.notAuthenticated, 'not authenticated: you are not connected, or the token is invalid (401)'],
  [EXIT.notPermitted, 'not permitted: outside the grant, or the grant is revoked, paused or expired (403)'],
  [EXIT.notFound, 'not found (404)'],
  [EXIT.unreachable, 'the server does not answer'],
]

export function exitForStatus(status: number): number {
  return { 400: 2, 401: 3, 403: 4, 404: 5, 409: 2, 405: 1 }[status] ?? EXIT.other
}
