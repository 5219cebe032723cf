/** The public API of @pdpp/importers. */
export { DatabaseCopies } from './files/database-copy.ts'
export { type FileInput, findFiles, storedFiles } from './files/files.ts'
export { SKIPPED_FILES } from './files/skipped-files.ts'
export type {
  Candidate,
  Claim,
  ImportedBlob,
  ImportedRecord,
  Importer,
  ImporterKind,
  ImportInput,
  ImportItem,
  ImportOverrides,
  ImportPlan,
  ImportProblem,
  InputHead,
  InputPosition,
  InputTree,
  PlannedConnection,
  PlannedField,
  PlannedStream,
  ReadTally,
} from './importer.ts'
export { importers } from './importers.ts'
export { type ImportNotice, type NoticeTexts, noticeText } from './notice.ts'
export { candidate } from './reading/input-head.ts'
export { isTimeZone } from './reading/times.ts'
export {
  ImportRefusal,
  type OverrideName,
  type Refusal,
  type RefusalText,
  type RefusalTexts,
  refusalText,
} from './refusal.ts'
export { commonRefusalTexts } from './refusal-text.ts'
export type { BlobCount, BlobDestination, BlobField } from './run/blob-delivery.ts'
export { existingConnection } from './run/connection.ts'
export {
  type Coverage,
  type CoverageSum,
  coverageSum,
  coverageText,
  type LeftOutCount,
  leftOutText,
} from './run/coverage.ts'
export type { Destination, DestinationConnection, IngestResult, IngestRow, IngestTarget } from './run/destination.ts'
export { lacksZone, planAll, type WorkPlan } from './run/plan.ts'
export { filledText, mergedStreams, timeAndTitleFirst } from './run/plan-view.ts'
export type { Progress, ProgressMeter } from './run/progress.ts'
export { type FoundExport, nothingToImport, recognise, type Skipped } from './run/recognise.ts'
export type { ReportedProblem, SourceResult, StreamResult } from './run/result.ts'
export { type ProgressView, runImport } from './run/run-import.ts'
export { FORCED_TYPES } from './table/infer/column-profile.ts'
