/** Public exports of @pdpp/protocol. Every name here is part of its contract. */

export { accessExtent, accessSentence, type SpokenAccess } from './access-sentence.ts'
export {
  type BlobPath,
  type BlobReference,
  blobId,
  blobPaths,
  blobReferences,
  parseBlobId,
} from './blob-reference.ts'
export * from './budgets.ts'
export { CursorSealer } from './cursor.ts'
export { authoredRank, authoredTimeIn, isIngestionTime } from './declaration/authored-time.ts'
export {
  type RangeOperator,
  type Relationship,
  type SourceDeclaration,
  type StreamDeclaration,
  sourceDeclarationSchema,
} from './declaration/declaration.ts'
export {
  acceptDeclaration,
  checkDeclaration,
  type DeclarationProblem,
  indexedNames,
  requireDeclaration,
} from './declaration/declaration-check.ts'
export type { DeclarationWarning, DeclarationWarningCode } from './declaration/declaration-smoothing.ts'
export {
  declaredFields,
  type FieldKind,
  isOrdered,
  isScalar,
  isTime,
  type JsonSchema,
  resolveProperty,
  schemaTypes,
} from './declaration/field.ts'
export { type CapabilityFlag, type FieldFacts, FLAG_LEGEND, flagString } from './declaration/field-flags.ts'
export { isToParent } from './declaration/relationship.ts'
export { type ErrorCode, errorType } from './errors/error-codes.ts'
export { ERRORS } from './errors/error-table.ts'
export {
  type ErrorReason,
  type ErrorSurface,
  NEXT_STEPS,
  type NextSteps,
  reasonsOf,
  stepOnSurface,
} from './errors/next-steps.ts'
export {
  type ConnectionCandidate,
  type ErrorDetail,
  type LackingAccess,
  MAX_CANDIDATES,
  PdppError,
  type WireError,
} from './errors/pdpp-error.ts'
export {
  type AccessMode,
  accessModeSchema,
  type Grant,
  grantSchema,
  type Retention,
  requiredFields,
  retentionSchema,
  type StreamGrant,
  streamGrantSchema,
  type TimeConstraint,
} from './grant.ts'
export {
  intersect,
  type Narrowing,
  narrowStream,
  permitsRecord,
  projectData,
  type RecordAttributes,
} from './grant-algebra.ts'
export { isFieldName, isName, NAME_RULE, requireName } from './names.ts'
export {
  canonicalKey,
  formatResultId,
  isCanonicalKey,
  parseResultId,
  type ResultId,
  referencedKey,
} from './record-id.ts'
export { compileRecordSchema, type RecordCheck } from './record-schema/record-schema.ts'
export { type FieldPart, schemaPart } from './record-schema/schema-part.ts'
export { charOffset, countChars, graphemeAround, previewChars, sliceChars, sliceGraphemes } from './text/chars.ts'
export { escapeHidden, escapeStrings, isPlainJson, splitHidden, type TextPart } from './text/hidden-chars.ts'
export { epochInstant, formatInstant, isoTime, parseInstant } from './text/instant.ts'
export {
  beyondDouble,
  canonicalJson,
  comparableNumber,
  isDeeper,
  MAX_RECORD_DEPTH,
  mayHoldLongNumbers,
  parseJson,
  rawNumber,
  withPlainNumbers,
} from './text/json.ts'
export { type JsonMeasure, measureJson } from './text/json-measure.ts'
export {
  type Count,
  countSchema,
  errorEnvelopeSchema,
  fieldWindowSchema,
  type IngestReply,
  ingestReplySchema,
  receiptSchema,
  recordListSchema,
  recordSchema,
  type Warning,
  type WireReceipt,
  type WireRecord,
} from './wire.ts'
