/**
 * Exports for clients of a PDPP server, without schemas and validators. Loading those would take longer than everything
 * else an adapter does before its first answer.
 */

export { DESCRIBED_FIELD_BYTES, PREVIEW_CHARS, RESULT_BYTES, WINDOW_CHARS } from './budgets.ts'
export { authoredTimeIn } from './declaration/authored-time.ts'
export { type FieldFacts, FLAG_LEGEND, flagString } from './declaration/field-flags.ts'
export type { ErrorCode } from './errors/error-codes.ts'
export { ERRORS } from './errors/error-table.ts'
export { type ErrorSurface, NEXT_STEPS, stepOnSurface } from './errors/next-steps.ts'
export { type ConnectionCandidate, PdppError } from './errors/pdpp-error.ts'
export { isFieldName, isName } from './names.ts'
export { isCanonicalKey } from './record-key.ts'
export { type FieldPart, schemaPart } from './record-schema/schema-part.ts'
export { formatResultId, parseResultId, type ResultId } from './result-id.ts'
export { countChars, previewChars, sliceChars, sliceGraphemes } from './text/chars.ts'
export { escapeHidden, escapeStrings, isPlainJson } from './text/hidden-chars.ts'
export { canonicalJson, parseJson } from './text/json.ts'
