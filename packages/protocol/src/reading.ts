/**
 * What a reader of a PDPP server needs, without the schemas and validators of a server: those take longer to load
 * than everything else that an adapter does before its first answer.
 */
export { authoredTimeIn } from './authored-time.ts'
export { DESCRIBED_FIELD_BYTES, PREVIEW_CHARS, RESULT_BYTES, WINDOW_CHARS } from './budgets.ts'
export { countChars, previewChars, sliceChars, sliceGraphemes } from './chars.ts'
export { type ConnectionCandidate, ERRORS, type ErrorCode, PdppError } from './errors.ts'
export { type FieldFacts, FLAG_LEGEND, flagString } from './field-flags.ts'
export { escapeHidden, escapeStrings } from './hidden-chars.ts'
export { canonicalJson, parseJson } from './json.ts'
export { isFieldName, isName } from './names.ts'
export { isCanonicalKey } from './record-key.ts'
export { formatResultId, parseResultId, type ResultId } from './result-id.ts'
export { type FieldPart, schemaPart } from './schema-part.ts'
