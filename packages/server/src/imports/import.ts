import type { ImportOverrides, Refusal } from '@pdpp/importers'

/**
 * `uploaded`: it is being looked at. `recognised`: it waits for the owner. `waiting`: for its turn. `failed`, `stopped`:
 * it can go on while its files are there. `undoing` goes on after a restart, as `running` does.
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

/** Of the problems of one import so many are kept; all are counted. */
export const KEPT_PROBLEMS = 10_000

/** A file as its owner called it; on disk it has a number. */
interface UploadedFile {
  readonly name: string
  readonly bytes: number
}

/** What the owner decided about one source of an import. */
export type SourceOverrides = ImportOverrides & { readonly connection?: string | undefined }

export interface FailureText {
  readonly message: string
  readonly nextStep: string
}

/** Why something failed: a refusal, for which each surface has words, or a sentence. Earlier versions stored sentences only. */
export type Failure = FailureText | { readonly refusal: Refusal }

/** A file that is not taken in, and why. */
export interface LeftOut {
  readonly file: string
  readonly reason: string
}

/** What came of one source. */
export interface ImportedSource {
  readonly source: string
  readonly connectionId: string
  readonly fileCount: number
  readonly streams: readonly {
    readonly name: string
    readonly read: number
    readonly refused: number
  }[]
}

export interface ImportBody {
  readonly files: readonly UploadedFile[]
  /** Of an import that is made elsewhere, where not all are named. */
  readonly fileCount?: number | undefined
  /** By `pdpp import`: there are no files here, and nothing to start or stop. */
  readonly isClientSide?: boolean | undefined
  /** By the number of a file among all that were found, archives opened. */
  readonly overrides: Readonly<Record<string, SourceOverrides>>
  /** What the plan is about, in a word or two, for the list. */
  readonly sources: readonly string[]
  readonly leftOut: readonly LeftOut[]
  readonly leftOutCount: number
  readonly results: readonly ImportedSource[]
  readonly failures: readonly (Failure & { readonly file: string })[]
  /** Why it ended before its end. */
  readonly failure?: Failure | undefined
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
  readonly undoneAt?: number | undefined
  /** The files are still in the folder of uploads. */
  readonly holdsFiles: boolean
  /** It went on after the server was started again. */
  readonly resumed?: boolean | undefined
}

/** What an import wrote to one stream of one connection, and what undoing it did. */
export interface WrittenFeed {
  readonly connectionId: string
  readonly stream: string
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly restored: number
  /** Changed again since, and therefore left as they are. */
  readonly kept: number
}

/** Why something that an import made is still there after it was undone. */
export type WhyItStays = 'records' | 'grant' | 'changed' | 'connector' | 'connections'

/** A source or a connection that was not there before an import, or was left to it by an earlier one that is undone. */
export interface MadeByImport {
  readonly kind: 'source' | 'connection'
  /** Its key or its id. */
  readonly name: string
  /** Undefined until it is undone. */
  readonly outcome: 'removed' | WhyItStays | undefined
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
  /** Why what records were before is no longer there. */
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
