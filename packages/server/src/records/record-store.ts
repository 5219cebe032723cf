import type { ErrorCode } from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { FieldCondition } from './filter.ts'

/** A record limited to a scope. `json` contains the projected members only. */
export interface ScopedRecord {
  /** Internal number of the record. Receipts use it; it never leaves the server. */
  readonly number: number
  readonly connectionId: string
  readonly key: string
  /** When the visible part was last received from its source, in milliseconds. */
  readonly emittedAt: number
  readonly json: string
}

export interface Tombstone {
  readonly number: number
  readonly connectionId: string
  readonly key: string
  readonly deletedAt: number
}

/** Position of the last row: its sort value (null sorts last) and the record number, which breaks ties. */
export interface PagePosition {
  readonly value: string | number | bigint | null
  readonly number: number
}

export interface PageQuery {
  /** A usable scalar field; undefined sorts by arrival. */
  readonly sort: string | undefined
  readonly order: 'asc' | 'desc'
  /** Nulls sort last; when paging backwards, first. */
  readonly nulls?: 'first' | 'last'
  /** Records must match all conditions. Every field is usable. */
  readonly conditions?: readonly FieldCondition[]
  /** Limits the page to one connection of the scope. */
  readonly connectionId?: string
  readonly after: PagePosition | undefined
  readonly limit: number
  /** Stop when the projected records reach this size. The page may contain one more record. */
  readonly maxBytes: number
}

export interface PositionedRecord extends ScopedRecord {
  readonly position: PagePosition
}

export interface RecordPage {
  readonly records: readonly PositionedRecord[]
  /** True if more records follow. */
  readonly hasMore: boolean
}

/** Position in a list of changes: one version per feed. A feed is one stream of one connection. */
export interface FeedPosition {
  readonly feed: number
  readonly version: number
}

export interface ChangeRange {
  /** Start position per feed. Feeds that are not listed are read from the beginning. */
  readonly since: readonly FeedPosition[]
  /** End position, set by the first page and kept for all pages that follow. */
  readonly horizon: readonly FeedPosition[]
}

export interface ChangeCount {
  readonly upserted: number
  readonly deleted: number
}

export interface ChangesQuery extends ChangeRange {
  readonly limit: number
  readonly maxBytes: number
}

export interface ChangePage {
  readonly changes: readonly (({ readonly record: ScopedRecord } | { readonly tombstone: Tombstone }) & {
    readonly at: FeedPosition
  })[]
  readonly hasMore: boolean
}

export interface StreamStatistics {
  readonly connectionId: string
  readonly count: number
  /** Earliest and latest consent time in scope, in microseconds. */
  readonly earliest: number | undefined
  readonly latest: number | undefined
  /**
   * When the source was last read successfully, and when reading was last attempted, in milliseconds. Under a grant:
   * when a visible change was last made, without attempts, because both could reveal hidden changes.
   */
  readonly capturedAt: number | undefined
  readonly attemptedAt: number | undefined
}

export interface RecordPosition {
  readonly connectionId: string
  readonly position: PagePosition
  readonly group: PagePosition['value']
}

export interface ChildrenQuery {
  /** A usable field of the child stream that contains the parent's key. */
  readonly foreignKey: string
  readonly parents: readonly { readonly connectionId: string; readonly key: string }[]
  /** Max. children per parent. */
  readonly limit: number
  /** Max. bytes of all children together. `hasMore` is true for a parent whose children were cut. */
  readonly maxBytes: number
}

export interface ParentsQuery {
  /** The stream of the children, and its usable field that contains the parent's key. */
  readonly from: ReadScope
  readonly foreignKey: string
  readonly children: readonly ScopedRecord[]
}

/** Key of a record in maps that span connections. */
export const parentKey = ({ connectionId, key }: { connectionId: string; key: string }): string =>
  `${connectionId}/${key}`

export interface RecordReader {
  page(scope: ReadScope, query: PageQuery, signal?: RequestSignal): Promise<RecordPage>
  /** Returns the record from each connection of the scope that has it. */
  find(scope: ReadScope, key: string): Promise<ScopedRecord[]>
  /** Returns the position of a record in a sort order, and its group, for each connection that has it. */
  locate(
    scope: ReadScope,
    query: { key: string; sort: string | undefined; groupField: string | undefined },
  ): Promise<RecordPosition[]>
  /** Returns the children of each parent, by `connection_id/key` of the parent. */
  children(
    scope: ReadScope,
    query: ChildrenQuery,
  ): Promise<ReadonlyMap<string, { records: ScopedRecord[]; hasMore: boolean }>>
  /**
   * Yields each parent once, in the order in which the children refer to them, with the numbers of its children. A
   * parent is always in the connection of its child.
   */
  parents(scope: ReadScope, query: ParentsQuery): AsyncIterable<{ parent: ScopedRecord; children: number[] }>
  /** Counts records, in one connection if it is named. Stops when the signal is aborted. */
  count(
    scope: ReadScope,
    conditions?: readonly FieldCondition[],
    connectionId?: string,
    signal?: RequestSignal,
  ): Promise<number>
  /** The current version of every feed in scope. */
  versions(scope: ReadScope): Promise<FeedPosition[]>
  changes(scope: ReadScope, query: ChangesQuery): Promise<ChangePage>
  /** Counts the changes that `changes` would return. */
  countChanges(scope: ReadScope, range: ChangeRange): Promise<ChangeCount>
  /** One entry per connection of the scope. */
  statistics(scope: ReadScope, signal?: RequestSignal): Promise<StreamStatistics[]>
}

/** Identifies the feed for a write. */
export interface FeedKey {
  readonly subjectId: string
  readonly connectorKey: string
  readonly connectionId: string
  readonly stream: string
}

export interface RecordWrite {
  readonly key: string
  readonly emittedAt: number
  /** Undefined deletes the record. */
  readonly data: RecordData | undefined
}

export interface RecordData {
  /** Members as returned by `parseJson`, which keeps long numbers. */
  readonly members: Readonly<Record<string, unknown>>
  /** Blobs that the members refer to. They must be stored before the record. */
  readonly blobs?: readonly BlobUse[] | undefined
}

/** One reference of a record to a blob. */
export interface BlobUse {
  /** The declared field that the path begins with. */
  readonly field: string
  /** JSON Pointer (RFC 6901). */
  readonly path: string
  readonly sha256: string
  /** Size according to the record. */
  readonly sizeBytes: number | undefined
}

/** `blob_not_found`: the record refers to a blob that is missing or has another size. */
export type WriteOutcome = 'accepted' | 'unchanged' | 'append_only_conflict' | 'blob_not_found'

/** Lines of NDJSON as sent, one after another without line feeds, and the end of each. */
export interface RecordLines {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

export interface RefusedLine {
  /** Position among the lines. */
  readonly at: number
  readonly code: ErrorCode
  readonly message: string
  readonly key?: string | undefined
}

/** The outcome of each line. A blank line is not a record. */
export interface LineOutcomes {
  /** Positions of the lines whose record was already stored with the same content, and of the blank lines. */
  readonly unchanged: readonly number[]
  readonly blank: readonly number[]
  readonly refused: readonly RefusedLine[]
}

export interface RecordWriter {
  /** How many records to write at once. Larger batches make others wait. The number changes with the load. */
  readonly batchRows: number
  /**
   * Writes all records in one transaction and returns one outcome per record, in order. Writes of an import can be
   * undone.
   */
  write(target: FeedKey, records: readonly RecordWrite[], importId?: string): Promise<WriteOutcome[]>
  /** Parses lines and writes their records in the same way. A store that writes in a thread also parses there. */
  writeLines?(target: FeedKey, lines: RecordLines, importId?: string): Promise<LineOutcomes>
  /** Records that the source was read, or that reading was attempted, even if nothing changed. */
  noteSync(target: FeedKey, at: number, ok: boolean): Promise<void>
  /** Deletes all records and their history. Cursors over them expire. Returns the number of deleted records. */
  wipe(target: FeedKey): Promise<number>
  /**
   * Deletes a record and removes its words from the index. A tombstone with its key remains for clients that follow
   * changes, but receipts no longer name the record. Returns `again` if the record was already deleted, `absent` if it
   * never existed.
   */
  erase(target: FeedKey, key: string): Promise<'erased' | 'again' | 'absent'>
  /** Finishes interrupted deletions and indexing. True if it stopped after `turnMs` with work left. */
  resume(turnMs?: number): Promise<boolean>
}
