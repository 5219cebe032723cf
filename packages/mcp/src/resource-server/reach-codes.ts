import type { ErrorCode } from '@pdpp/protocol/reading'

/** Codes of another implementation for a valid token whose grant is too narrow. It sends them with status 401. */
const REACH: Readonly<Record<string, ErrorCode>> = {
  'context.stream_not_allowed': 'grant_stream_not_allowed',
  'context.instance_mismatch': 'connection_not_found',
  'context.field_not_granted': 'field_not_granted',
}

export const isAboutReach = (code: unknown): boolean => typeof code === 'string' && Object.hasOwn(REACH, code)

/** All other codes of that family mean that the token itself is not accepted. */
const isAboutToken = (code: string): boolean => code.startsWith('context.') && !isAboutReach(code)

/** Our code for an error of another implementation whose own advice does not fit here. */
export function adoptedCode(code: string): ErrorCode | undefined {
  if (isAboutToken(code)) return 'authentication_error'
  return isAboutReach(code) ? REACH[code] : undefined
}
