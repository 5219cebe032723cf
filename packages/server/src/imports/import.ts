import type { CoverageSum, ImportOverrides, LeftOutCount, Refusal } from '@pdpp/importers'

/**
 * `uploaded`: being inspected. `recognised`: waits for the owner. `waiting`: waits for a free thread. `failed`,
 * `stopped`: can resume while its files exist. `running` and `undoing` resume after a restart.
 */
export type ImportState =
  | 'uploaded'
  | 'recognised'
  | 'waiting'
  | 'running'
  | 'finished'
  | 'failed'
  | 'stopped'
  | 'undoing'
  | 'undone'

/** Max. problems stored per import. Further problems are only counted. */
export const KEPT_PROBLEMS = 10_000

/** A file with the name that the owner gave it. On disk it has a number. */
interface UploadedFile {
  readonly name: string
  readonly bytes: number
}

/** The decisions of the owner about one source of an import. */
export type SourceOverrides = ImportOverrides & { readonly connection?: string | undefined }

export interface FailureText {
  readonly message: string
  readonly nextStep: string
}

/**
 * The reason of a failure: a refusal, for which each surface has a text, or a sentence. Earlier versions stored only
 * sentences.
 */
export type Failure = FailureText | { readonly refusal: Refusal }

/** A file that is not imported, and the reason. */
export interface SkippedFile {
  readonly file: string
  readonly reason: string
}

export interface ImportedSource {
  readonly source: string
  readonly connectionId: string
  readonly fileCount: number
  /** The name for people. Imports of earlier versions have no name and no coverage. */
  readonly name?: string | undefined
  /** How much of the files was imported, based on the reader's counts. */
  readonly coverage?: (CoverageSum & { readonly leftOut: readonly LeftOutCount[] }) | undefined
  readonly streams: readonly {
    readonly name: string
    readonly read: number
    readonly refused: number
  }[]
}

export interface ImportBody {
  readonly files: readonly UploadedFile[]
  /** Set for client-side imports, which do not list every file. */
  readonly fileCount?: number | undefined
  /** True for `pdpp import`: the server has no files and cannot start or stop it. */
  readonly isClientSide?: boolean | undefined
  /** By the number of the file among all files, including those inside archives. */
  readonly overrides: Readonly<Record<string, SourceOverrides>>
  /** Numbers of the plan's parts that the owner ticked; all parts if undefined. */
  readonly parts?: readonly number[] | undefined
  /** Short names of the sources in the plan, for the list. */
  readonly sources: readonly string[]
  readonly leftOut: readonly SkippedFile[]
  readonly leftOutCount: number
  readonly results: readonly ImportedSource[]
  /** Number of files that are in no result: no importer could read them, or their part was not ticked. */
  readonly unreadFiles?: number | undefined
  readonly failures: readonly (Failure & { readonly file: string })[]
  /** Why the import ended early. */
  readonly failure?: Failure | undefined
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
  readonly undoneAt?: number | undefined
  /** True if the uploaded files still exist. */
  readonly holdsFiles: boolean
  /** True if the import resumed after a restart of the server. */
  readonly resumed?: boolean | undefined
}

/** The changes to one stream of one connection by an import and by its undo. */
export interface WrittenFeed {
  readonly connectionId: string
  readonly stream: string
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly restored: number
  /** Records that the undo kept, because they were changed after the import. */
  readonly kept: number
}

/** The reason why a source or connection stays after its import was undone. */
export type StayReason = 'records' | 'grant' | 'changed' | 'connector' | 'connections'

/** A source or connection that an import created, or took over from an earlier, undone import. */
export interface MadeByImport {
  readonly kind: 'source' | 'connection'
  /** The key of the source, or the id of the connection. */
  readonly name: string
  /** Undefined until the import is undone. */
  readonly outcome: 'removed' | StayReason | undefined
}

export interface StoredImport {
  readonly importId: string
  readonly state: ImportState
  readonly createdAt: number
  readonly updatedAt: number
  readonly body: ImportBody
  readonly problems: number
  readonly written: readonly WrittenFeed[]
  readonly made: readonly MadeByImport[]
  /** The reason why the earlier record versions were deleted. */
  readonly dropped: 'too_large' | 'too_old' | undefined
}

export const NOTHING_YET: Omit<ImportBody, 'files'> = {
  overrides: {},
  sources: [],
  leftOut: [],
  leftOutCount: 0,
  results: [],
  failures: [],
  holdsFiles: true,
}
