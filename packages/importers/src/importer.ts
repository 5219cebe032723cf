import type { SourceDeclaration } from '@pdpp/protocol'
import type { ImportNotice } from './notice.ts'

/** A file, or bytes that act as a file. The caller opens it, because an importer has no access to disk or network. */
export interface ImportInput {
  /** The path as the owner knows it, with forward slashes. */
  readonly name: string
  /** Size in bytes, if it is known before reading. */
  readonly size?: number | undefined
  /**
   * Returns a path at which SQLite can open the database. The caller ensures that SQLite leaves no files next to the
   * owner's file.
   */
  databasePath?(): Promise<string>
  open(): AsyncIterable<Uint8Array>
}

/** A file that importers inspect to decide whether they can read it. */
export interface Candidate {
  readonly input: ImportInput
  /** The first bytes, which are read once for all importers. */
  readonly head: InputHead
  /** All files of this import, for an export that consists of several. */
  readonly files: InputTree
}

export interface InputHead {
  readonly bytes: Buffer
  /** Undefined if the bytes are not text. */
  readonly text: string | undefined
  /** True if the input has no more bytes. */
  readonly whole: boolean
}

/**
 * Files by their paths. Paths are compared in Unicode NFC, and the numbered parts of a split zip count as one folder.
 */
export interface InputTree {
  get(path: string): ImportInput | undefined
  /** The file at a path that the export itself names, relative to one of its files. Never a file outside the export. */
  near(input: ImportInput, relative: string): ImportInput | undefined
  /** Every file below a folder, in the order of their paths. */
  below(folder: string): readonly ImportInput[]
}

/** The files of one export that an importer can read. */
export interface Claim {
  /** The format as a word for people: `mbox`. */
  readonly format: string
  /** All files that belong together, beginning with the recognised file. */
  readonly inputs: readonly ImportInput[]
  /** Claims of one importer with the same group are planned together. A claim without a group is planned alone. */
  readonly group?: string | undefined
}

/** Decisions of the owner that replace inferred ones. */
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
  /** False if the first row of a table in text is data, not names. Inferred when undefined. */
  readonly header?: boolean | undefined
  /** The time zone of times that name none; the owner's own zone, or else UTC, when undefined. */
  readonly zone?: string | undefined
  /** The owner's own zone from the settings. It does not change how a source with records is read. */
  readonly ownZone?: string | undefined
}

export interface PlannedField {
  readonly name: string
  readonly type: string
  /** The uses of the field: key, time, title, searched, … */
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
   * The connection that the records go to, if the source can have several, such as one for each chat or account. The id
   * comes only from the export, so that the next export of the same chat goes to the same connection.
   */
  readonly connection?: PlannedConnection | undefined
  /** The zone in which times without a zone are read. Undefined if every time has one. */
  readonly zone?: string | undefined
  /** `same`: the source exists and this import does not change it. */
  readonly match: 'new' | 'same' | 'extended'
  /** Sentences about the additions to an extended source. */
  readonly changes: readonly string[]
  readonly streams: readonly PlannedStream[]
  /** Notices for the owner before the import starts. */
  readonly notices: readonly ImportNotice[]
}

export interface PlannedConnection {
  readonly id: string
  /** The name as a person knows it: `WhatsApp: Family group`. */
  readonly name: string
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

/** A file that came with a record. The record contains the result of `blobReference` for it. */
export interface ImportedBlob {
  /** JSON pointer to the member that refers to the file (RFC 6901). */
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly mimeType: string
  /** Call before asking for the next item, because an importer keeps only the files of one record. */
  open(): AsyncIterable<Uint8Array>
}

/** A problem is a value and never thrown, so that one bad row does not stop the others. */
export interface ImportProblem {
  readonly place: InputPosition
  readonly reason: string
  readonly excerpt?: string | undefined
  /** The kind of the lost item, if it was counted as seen. Undefined if the problem is not about one item. */
  readonly kind?: string | undefined
  /** True if the record was imported without the invalid part. */
  readonly kept: boolean
}

export type ImportItem = { readonly record: ImportedRecord } | { readonly problem: ImportProblem }

/**
 * Counts the items that a reader sees, independently of their outcome. The kind of an item is the name of its stream.
 * Every item that was seen must become a record of that stream, be left out for a reason, or be lost to a problem of
 * that kind.
 */
export interface ReadTally {
  saw(kind: string, count?: number): void
  leftOut(kind: string, reason: string, count?: number): void
  /** Gives the reason why a file is not opened. */
  leftOutFile(input: ImportInput, reason: string): void
}

export type ImporterKind = 'chats' | 'ai' | 'calendar' | 'people' | 'notes' | 'documents' | 'photos' | 'mail' | 'tables'

/** Reads one kind of export. Turns bytes into records and problems. */
export interface Importer {
  readonly id: string
  /** The name of the service as people know it: `WhatsApp`. */
  readonly name: string
  readonly kind: ImporterKind
  /** Description of the files that it reads, for the list of all importers. */
  readonly reads: string
  /**
   * Claims a file by its content, together with the files that belong to it. Undefined if this importer cannot read the
   * file.
   */
  detect(candidate: Candidate): Promise<Claim | undefined>
  /** Plans the records. `known` are the declarations that the server has. */
  streams(claim: Claim, overrides: ImportOverrides, known: readonly SourceDeclaration[]): Promise<ImportPlan[]>
  /** Adapts a plan's declaration to the one that was stored since the plan was made. */
  settle?(planned: SourceDeclaration, stored: SourceDeclaration): SourceDeclaration
  /**
   * Reads the records of a plan. Except for its inputs, a plan is plain data, so that it can be stored and read later.
   */
  read(plan: ImportPlan, tally: ReadTally): AsyncIterable<ImportItem>
}
