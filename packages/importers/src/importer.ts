import type { SourceDeclaration } from '@pdpp/protocol'
import type { ImportNotice } from './notice.ts'

/** A file, or what stands for one. The caller opens it: an importer has no disk and no network of its own. */
export interface ImportInput {
  /** Its path as the owner knows it, with forward slashes. */
  readonly name: string
  /** Bytes, where they are known beforehand. */
  readonly size?: number | undefined
  /** Where a database can be opened; whoever gives it sees to it that nothing is left beside the owner's file. */
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
  /** Key, time, title, searched, …: what the field is used for. */
  readonly uses: readonly string[]
  /** How many of the sampled rows have it. */
  readonly filled: number
}

export interface PlannedStream {
  readonly name: string
  readonly sampled: number
  /** The sample is all there is. */
  readonly complete: boolean
  /** How many there will be, where the source can say. */
  readonly expected?: number | undefined
  readonly fields: readonly PlannedField[]
  readonly examples: readonly Readonly<Record<string, unknown>>[]
}

export interface ImportPlan {
  readonly inputs: readonly ImportInput[]
  /** What the inputs are, as a word for people: `csv`, `mbox`. */
  readonly format: string
  /** Which stream a table of the inputs goes to, where they have tables. */
  readonly streamByTable: Readonly<Record<string, string>>
  readonly declaration: SourceDeclaration
  /**
   * `same`: the source was imported before and nothing about it changes. `similar`: so it seems, but the file is called
   * otherwise, and the owner should say whether it is the same thing.
   */
  readonly match: 'new' | 'same' | 'similar' | 'extended'
  /** What an extended source gets, in words. */
  readonly changes: readonly string[]
  readonly streams: readonly PlannedStream[]
  /** What the owner should know before saying yes. */
  readonly notices: readonly ImportNotice[]
}

export interface InputPosition {
  readonly input: string
  readonly table?: string | undefined
  /** Counted from 1: the row, the message. */
  readonly row?: number | undefined
  /** Counted from 1, where the input has lines. */
  readonly line?: number | undefined
}

export interface ImportedRecord {
  readonly stream: string
  readonly key: string | readonly string[]
  readonly data: Readonly<Record<string, unknown>>
  readonly place: InputPosition
  /** The bytes that the record refers to; they go to the server before it does. */
  readonly blobs?: readonly ImportedBlob[] | undefined
}

/** A file that came with a record, which refers to it as `blobReference` writes it. */
export interface ImportedBlob {
  /** Where the record refers to it (RFC 6901). */
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly mimeType: string
  /** May be opened until the next item is asked for: what an importer holds is one record's, not a whole mailbox's. */
  open(): AsyncIterable<Uint8Array>
}

/** A value, never a throw: one bad row must not cost the others. */
export interface ImportProblem {
  readonly place: InputPosition
  readonly reason: string
  readonly excerpt?: string | undefined
  /** The record was taken in, without the part that is wrong. */
  readonly kept: boolean
}

export type ImportItem = { readonly record: ImportedRecord } | { readonly problem: ImportProblem }

/** One kind of export. Bytes in, records and problems out. */
export interface Importer {
  readonly id: string
  /** The format of an input, as a word for people; undefined when it is none of this importer's. */
  detect(input: ImportInput): Promise<string | undefined>
  /** What the records will be: a plan for the inputs that belong together. `known` are declarations that the server has. */
  streams(
    inputs: readonly ImportInput[],
    overrides: ImportOverrides,
    known: readonly SourceDeclaration[],
  ): Promise<ImportPlan[]>
  read(plan: ImportPlan): AsyncIterable<ImportItem>
}
