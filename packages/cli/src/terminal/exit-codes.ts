/** Part of the contract: scripts branch on them. docs/cli.md is written from this table. */
export const EXIT = {
  done: 0,
  other: 1,
  usage: 2,
  notAuthenticated: 3,
  notPermitted: 4,
  notFound: 5,
  unreachable: 6,
} as const

/** What `pdpp mcp` answers to wrong words, as `pdpp-mcp-server` does. */
export const EXIT_USAGE_OF_ADAPTER = 64

export const EXIT_MEANINGS: readonly (readonly [number, string])[] = [
  [EXIT.done, 'done'],
  [EXIT.other, 'anything else: the server cannot start, a check of `pdpp doctor` failed, …'],
  [EXIT.usage, 'usage: wrong words on the command line, or the server answered 400'],
  [EXIT.notAuthenticated, 'not authenticated: nothing is connected, or the token is not valid (401)'],
  [EXIT.notPermitted, 'not permitted: outside the grant, or the grant was revoked, paused or has expired (403)'],
  [EXIT.notFound, 'not found (404)'],
  [EXIT.unreachable, 'the server does not answer'],
]

export function exitForStatus(status: number): number {
  return { 400: 2, 401: 3, 403: 4, 404: 5, 409: 2, 405: 1 }[status] ?? EXIT.other
}
