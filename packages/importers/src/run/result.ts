import type { ImportPlan, ImportProblem } from '../importer.ts'
import type { ImportNotice } from '../notice.ts'
import type { BlobCount } from './blob-delivery.ts'
import type { Coverage } from './coverage.ts'

/** Max. problems in a result. `onProblem` gets all of them. */
export const KEPT_PROBLEMS = 1000

export interface StreamResult {
  readonly name: string
  readonly recordsRead: number
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
  /** First and last day of the records that were read, if they have times. */
  readonly days?: { readonly first: string; readonly last: string } | undefined
}

export interface SourceResult {
  readonly source: string
  readonly connectionId: string | null
  /** The name for people. */
  readonly name: string
  readonly match: ImportPlan['match']
  readonly files: readonly string[]
  readonly fileCount: number
  readonly streams: readonly StreamResult[]
  /** Counts of the files that came with the records. */
  readonly blobs: BlobCount
  readonly coverage: Coverage
  readonly problemCount: number
  readonly problems: readonly ReportedProblem[]
  readonly notices: readonly ImportNotice[]
  readonly seconds: number
  readonly interrupted: boolean
}

/** One problem in the form that people and programs receive. */
export interface ReportedProblem {
  readonly file: string
  readonly table?: string
  readonly row?: number
  readonly line?: number
  readonly reason: string
  readonly excerpt?: string
  readonly imported: boolean
}

export function reportedProblem({ place, reason, excerpt, kept }: ImportProblem): ReportedProblem {
  return {
    file: place.input,
    ...(place.table === undefined ? {} : { table: place.table }),
    ...(place.row === undefined ? {} : { row: place.row }),
    ...(place.line === undefined ? {} : { line: place.line }),
    reason,
    ...(excerpt === undefined ? {} : { excerpt }),
    imported: kept,
  }
}
