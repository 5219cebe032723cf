import type { ImportPlan, ImportProblem } from '../importer.ts'
import type { BlobCount } from './blob-delivery.ts'

/** What `--json` lists; `--jsonl` prints every one. */
export const KEPT_PROBLEMS = 1000

export interface StreamResult {
  readonly name: string
  readonly records_read: number
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
}

/** Of one source: what `--json` prints, and what the summary is made from. */
export interface SourceResult {
  readonly source: string
  readonly connection_id: string | null
  readonly match: ImportPlan['match']
  readonly files: readonly string[]
  readonly file_count: number
  readonly streams: readonly StreamResult[]
  /** Files that came with the records. */
  readonly blobs: BlobCount
  readonly problem_count: number
  readonly problems: readonly WireProblem[]
  readonly notices: readonly string[]
  readonly seconds: number
  readonly interrupted: boolean
}

export interface WireProblem {
  readonly file: string
  readonly table?: string
  readonly row?: number
  readonly line?: number
  readonly reason: string
  readonly excerpt?: string
  readonly imported: boolean
}

export function toWireProblem({ place, reason, excerpt, kept }: ImportProblem): WireProblem {
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
