/** The public list of @pdpp/importers. */
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
export { isTimeZone } from './times.ts'
