import { type ErrorCode, STATUS_BY_CODE } from './error-codes.ts'
import { NEXT_STEPS } from './next-steps.ts'

interface ErrorEntry {
  readonly status: number
  /** The next step, in the words for HTTP clients. */
  readonly nextStep: string
}

/** Every error that crosses the wire: code → HTTP status and next step. */
export const ERRORS = Object.fromEntries(
  Object.entries(STATUS_BY_CODE).map(([code, status]) => [
    code,
    { status, nextStep: NEXT_STEPS[code as ErrorCode].rest },
  ]),
) as Readonly<Record<ErrorCode, ErrorEntry>>
