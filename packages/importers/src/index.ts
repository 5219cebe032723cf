/** The public list of @pdpp/importers. */
export { DatabaseCopies } from './files/database-copy.ts'
export { type FileInput, findFiles, storedFiles } from './files/files.ts'
export { PASSED_OVER } from './files/passed-over.ts'
export {
  type ImportedBlob,
  type ImportedRecord,
  type Importer,
  type ImportInput,
  type ImportItem,
  type ImportPlan,
  type ImportProblem,
  ImportRefusal,
  type ImportWishes,
  type Place,
  type PlannedField,
  type PlannedStream,
} from './importer.ts'
export { importers } from './importers.ts'
export { FORCED_TYPES } from './tabular/column-profile.ts'
export type { BlobDestination, BlobPlace } from './take-in/blob-delivery.ts'
export type { Destination } from './take-in/destination.ts'
export { planAll, type WorkPlan } from './take-in/plan.ts'
export { filledWords, mergedStreams, tellingFirst } from './take-in/plan-view.ts'
export type { Progress, ProgressMeter } from './take-in/progress.ts'
export { type Found, nothingToImport, recognise, type Skipped } from './take-in/recognise.ts'
export type { SourceResult, StreamResult, WireProblem } from './take-in/result.ts'
export { type ProgressView, takeIn } from './take-in/take-in.ts'
export { isTimeZone } from './times.ts'
