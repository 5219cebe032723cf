import { type ErrorCode, isErrorCode } from './error-codes.ts'
import { ACCESS_REASONS, ACCESS_STEPS } from './next-steps/access-steps.ts'
import { CONFLICT_REASONS, CONFLICT_STEPS } from './next-steps/conflict-steps.ts'
import { MISSING_REASONS, MISSING_STEPS } from './next-steps/missing-steps.ts'
import { REQUEST_REASONS, REQUEST_STEPS } from './next-steps/request-steps.ts'
import type { NextSteps } from './next-steps/sentences.ts'
import { SERVER_STEPS } from './next-steps/server-steps.ts'

export type { NextSteps } from './next-steps/sentences.ts'
export type ErrorSurface = keyof NextSteps

/** The next step after an error of each code. */
export const NEXT_STEPS: Readonly<Record<ErrorCode, NextSteps>> = {
  ...REQUEST_STEPS,
  ...ACCESS_STEPS,
  ...MISSING_STEPS,
  ...CONFLICT_STEPS,
  ...SERVER_STEPS,
}

/** Errors whose text differs from the standard text of their code. The wire carries the sentence, not the reason. */
const STEPS_BY_REASON = { ...REQUEST_REASONS, ...ACCESS_REASONS, ...MISSING_REASONS, ...CONFLICT_REASONS }

type ReasonTable = typeof STEPS_BY_REASON
export type ErrorReason = { [Code in keyof ReasonTable]: keyof ReasonTable[Code] }[keyof ReasonTable]

/** All reasons of a code; most codes have none. */
export const reasonsOf = (code: ErrorCode): Readonly<Record<string, NextSteps>> =>
  (STEPS_BY_REASON as Partial<Record<ErrorCode, Readonly<Record<string, NextSteps>>>>)[code] ?? {}

export const nextStepsOf = (code: ErrorCode, reason: ErrorReason | undefined): NextSteps =>
  (reason === undefined ? undefined : reasonsOf(code)[reason]) ?? NEXT_STEPS[code]

/**
 * The words of a surface for an error that came over HTTP. The sentence is recognised by comparing it with the table.
 * Undefined if the server wrote its own sentence, or if the code is not ours.
 */
export function stepOnSurface(
  surface: ErrorSurface,
  code: string,
  restSentence: string | undefined,
): string | undefined {
  if (!isErrorCode(code)) return
  const entries = [NEXT_STEPS[code], ...Object.values(reasonsOf(code))]
  const entry = restSentence === undefined ? entries[0] : entries.find(({ rest }) => rest === restSentence)
  return entry?.[surface]
}
