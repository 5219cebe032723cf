/** Codes that another implementation sends with 401 if a valid token does not cover the request. */
const REACH = ['context.stream_not_allowed', 'context.instance_mismatch', 'context.field_not_granted']

export const isAboutReach = (code: unknown): boolean => typeof code === 'string' && REACH.includes(code)

/** The other `context.` codes mean that the token itself is invalid. */
export const isAboutToken = (code: string): boolean => code.startsWith('context.') && !isAboutReach(code)
