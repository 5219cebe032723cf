/**
 * Exports for clients of a PDPP server and for threads that only read, without schemas and validators. Loading those
 * would take longer than everything else that an adapter does before its first answer, or a thread before its first
 * search.
 */

export { blobPaths, blobReferences } from './blob-reference.ts'
export { DESCRIBED_FIELD_BYTES, PAGE_LIMIT, PREVIEW_CHARS, RESULT_BYTES, WINDOW_CHARS } from './budgets.ts'
export { authoredRank, authoredTimeIn, isIngestionTime } from './declaration/authored-time.ts'
export { declaredFields, isScalar, isTime } from './declaration/field.ts'
export { type FieldFacts, FLAG_LEGEND, flagString } from './declaration/field-flags.ts'
export { isToParent } from './declaration/relationship.ts'
export type { ErrorCode } from './errors/error-codes.ts'
export { ERRORS } from './errors/error-table.ts'
export { type ErrorSurface, NEXT_STEPS, stepOnSurface } from './errors/next-steps.ts'
export { type ConnectionCandidate, PdppError } from './errors/pdpp-error.ts'
export { isFieldName, isName } from './names.ts'
export { formatResultId, isCanonicalKey, parseResultId, type ResultId, referencedKey } from './record-id.ts'
export { type FieldPart, schemaPart } from './record-schema/schema-part.ts'
export { charOffset, countChars, previewChars, sliceChars, sliceGraphemes } from './text/chars.ts'
export { escapeHidden, escapeStrings, isPlainJson } from './text/hidden-chars.ts'
export { epochInstant, formatInstant, parseInstant } from './text/instant.ts'
export { canonicalJson, comparableNumber, parseJson, rawNumber } from './text/json.ts'
export { jsonMembers } from './text/json-members.ts'
export { madeTitle } from './text/made-title.ts'
