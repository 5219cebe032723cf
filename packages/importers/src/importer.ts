import type { SourceDeclaration } from '@pdpp/protocol'
import type { ImportNotice } from './notice.ts'

/** A file, or bytes that act as one. The caller opens it, because an importer has no access to disk or network. */
export interface ImportInput {
  /** The path as the owner knows it, with forward slashes. */
  readonly name: string
  /** Size in bytes, if it is known before reading. */
  readonly size?: number | undefined
  /** Path at which SQLite can open the database. The caller ensures that SQLite leaves no files next to the owner's. */
  databasePath?(): Promise<string>
  open(): AsyncIterable<Uint8Array>
}

/** What the owner decided instead of what was inferred. */
export interface ImportOverrides {
  readonly source?: string | undefined
  readonly stream?: string | undefined
  /** Tables of a database, or lists of a JSON file; all of them when undefined. */
  readonly tables?: readonly string[] | undefined
  readonly key?: readonly string[] | undefined
  readonly time?: string | undefined
  readonly text?: readonly string[] | undefined
  readonly title?: string | undefined
  readonly types?: Readonly<Record<string, string>> | undefined
  /** The time zone of times that name none; UTC when undefined. */
  readonly zone?: string | undefined
}

export interface PlannedField {
  readonly name: string
  readonly type: string
  /** What the field is used for: key, time, title, searched, … */
  readonly uses: readonly string[]
  /** Number of sampled rows that have a value. */
  readonly filled: number
}

export interface PlannedStream {
  readonly name: string
  readonly sampled: number
  /** True if the sample contains every record. */
  readonly complete: boolean
  /** Number of records, if the source knows it before reading. */
  readonly expected?: number | undefined
  readonly fields: readonly PlannedField[]
  readonly examples: readonly Readonly<Record<string, unknown>>[]
}

export interface ImportPlan {
  readonly inputs: readonly ImportInput[]
  /** The format as a word for people: `csv`, `mbox`. */
  readonly format: string
  /** The stream that each table of the inputs becomes, if they have tables. */
  readonly streamByTable: Readonly<Record<string, string>>
  readonly declaration: SourceDeclaration
  /**
   * `same`: the source was imported before and does not change. `similar`: the columns are the same but the file has
   * another name, so the owner should confirm it.
   */
  readonly match: 'new' | 'same' | 'similar' | 'extended'
  /** Sentences about what an extended source gets. */
  readonly changes: readonly string[]
  readonly streams: readonly PlannedStream[]
  /** What the owner should know before saying yes. */
  readonly notices: readonly ImportNotice[]
}

export interface InputPosition {
  readonly input: string
  readonly table?: string | undefined
  /** Number of the row or message, counted from 1. */
  readonly row?: number | undefined
  /** Counted from 1, if the input has lines. */
  readonly line?: number | undefined
}

export interface ImportedRecord {
  readonly stream: string
  readonly key: string | readonly string[]
  readonly data: Readonly<Record<string, unknown>>
  readonly place: InputPosition
  /** Files that the record refers to. They go to the server before the record. */
  readonly blobs?: readonly ImportedBlob[] | undefined
}

/** A file that came with a record. The record contains what `blobReference` returns for it. */
export interface ImportedBlob {
  /** JSON pointer to the member that refers to the file (RFC 6901). */
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly mimeType: string
  /** Open it before asking for the next item, because an importer keeps the files of one record only. */
  open(): AsyncIterable<Uint8Array>
}

/** A problem is a value and never thrown, so that one bad row does not cost the others. */
export interface ImportProblem {
  readonly place: InputPosition
  readonly reason: string
  readonly excerpt?: string | undefined
  /** True if the record was imported without the part that is wrong. */
  readonly kept: boolean
}

export type ImportItem = { readonly record: ImportedRecord } | { readonly problem: ImportProblem }

/** One kind of export. Bytes in, records and problems out. */
export interface Importer {
  readonly id: string
  /** The format of an input as a word for people, or undefined if this importer cannot read it. */
  detect(input: ImportInput): Promise<string | undefined>
  /** Plans what the records will be. The inputs belong together. `known` are the declarations that the server has. */
  streams(
    inputs: readonly ImportInput[],
    overrides: ImportOverrides,
    known: readonly SourceDeclaration[],
  ): Promise<ImportPlan[]>
  read(plan: ImportPlan): AsyncIterable<ImportItem>
}
