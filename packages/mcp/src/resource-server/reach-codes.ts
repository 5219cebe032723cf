/** What another implementation says, with status 401, of a live token that does not reach so far. */
const REACH = ['context.stream_not_allowed', 'context.instance_mismatch', 'context.field_not_granted']

/** The other codes of that family are about the token itself, which is not taken (any more). */
export const isAboutReach = (code: unknown): boolean => typeof code === 'string' && REACH.includes(code)

export const isAboutToken = (code: string): boolean => code.startsWith('context.') && !isAboutReach(code)
