import { ERRORS, type ErrorCode, type ErrorSurface, stepOnSurface } from '@pdpp/protocol/reading'
import { adoptedCode } from './reach-codes.ts'

/**
 * The next step, on this surface, after an error of a server. If the server sent our standard sentence, or none, this
 * uses our own text for the surface. Otherwise it uses the server's sentence unchanged.
 */
export function nextStepFrom(surface: ErrorSurface, code: string, sentence: string | undefined): string | undefined {
  const adopted = adoptedCode(code)
  if (adopted !== undefined) return stepOnSurface(surface, adopted, undefined)
  const known = code === 'needs_broader_grant' ? 'insufficient_scope' : code
  const ours = stepOnSurface(surface, known, sentence)
  if (ours !== undefined || sentence === undefined) return ours
  return namesRoute(sentence) ? stepOnSurface(surface, known, undefined) : sentence
}

/**
 * True if the server sent no advice, or our standard advice for the code. More precise advice, such as a waiting time,
 * may replace it.
 */
export const isStandardStep = (code: string, sentence: string | undefined): boolean =>
  sentence === undefined || (Object.hasOwn(ERRORS, code) && ERRORS[code as ErrorCode].nextStep === sentence)

/** The seconds of a Retry-After header. Dates are ignored. */
export const secondsOf = (retryAfter: string | undefined): number | undefined =>
  /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined

/** Other implementations may recommend a route, which neither an agent nor a person at a terminal can call. */
const namesRoute = (sentence: string): boolean => /\b(GET|POST) \//.test(sentence)

/** The parameter that a name belongs to: `filter` for `filter[a][gte]`. */
export function parameterOf(param: string): string {
  const bracket = param.indexOf('[')
  return bracket === -1 ? param : param.slice(0, bracket)
}
