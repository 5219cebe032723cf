import type { ReadScope } from '../grants/read-scope.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { FieldCondition } from './filter.ts'

/** A record as a scope shows it: `json` holds the projected members and nothing else. */
export interface ScopedRecord {
  /** The store's number of the record: names it in receipts, never leaves the server. */
  readonly number: number
  readonly connectionId: string
  readonly key: string
  /** Milliseconds: when the visible part last came from its source. */
  readonly emittedAt: number
  readonly json: string
}

export interface Tombstone {
  readonly number: number
  readonly connectionId: string
  readonly key: string
  readonly deletedAt: number
}

/** Where a page ended: the sort value (null sorts last) and the record's number, which breaks ties. */
export interface PagePosition {
  readonly value: string | number | bigint | null
  readonly number: number
}

export interface PageQuery {
  /** A usable scalar field, or undefined for the order of arrival. */
  readonly sort: string | undefined
  readonly order: 'asc' | 'desc'
  /** Records without a value of the sort field come last, or first: the way back over a page where they came last. */
  readonly nulls?: 'first' | 'last'
  /** All of them must hold; every field is usable. */
  readonly conditions?: readonly FieldCondition[]
  /** Only this connection of the scope. */
  readonly connectionId?: string
  readonly after: PagePosition | undefined
  readonly limit: number
  /** Stop reading once the projected records are this large; the page may hold one record beyond it. */
  readonly maxBytes: number
}

export interface PositionedRecord extends ScopedRecord {
  readonly position: PagePosition
}

export interface RecordPage {
  readonly records: readonly PositionedRecord[]
  /** Whether records remain after the last one here. */
  readonly hasMore: boolean
}

/** How far a reader of changes has come: one version per feed, a feed being one stream of one connection. */
export interface FeedPosition {
  readonly feed: number
  readonly version: number
}

export interface ChangesQuery {
  /** From where, per feed; feeds not named are read from their beginning. */
  readonly since: readonly FeedPosition[]
  /** One horizon for a whole walk: fixed by its first page. */
  readonly horizon: readonly FeedPosition[]
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
  /** Text of the earliest and latest consent time in scope, microseconds. */
  readonly earliest: number | undefined
  readonly latest: number | undefined
  /**
   * When the source was last read successfully, and last tried; milliseconds. Under a grant: when a change that the
   * grant shows was last made, and never when it was tried, because both may be about what is hidden.
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
  /** A usable field of the child stream that holds the parent's key. */
  readonly foreignKey: string
  readonly parents: readonly { readonly connectionId: string; readonly key: string }[]
  /** For each parent. */
  readonly limit: number
  /** For all of them together; what is left out is told by `hasMore`. */
  readonly maxBytes: number
}

export interface ParentsQuery {
  /** The stream of the children, and a usable field of it that holds the parent's key. */
  readonly from: ReadScope
  readonly foreignKey: string
  readonly children: readonly ScopedRecord[]
}

/** A record's name within its stream, across connections. */
export const parentKey = ({ connectionId, key }: { connectionId: string; key: string }): string =>
  `${connectionId}/${key}`

export interface RecordReader {
  page(scope: ReadScope, query: PageQuery): Promise<RecordPage>
  /** The record in each connection of the scope that has it. */
  find(scope: ReadScope, key: string): Promise<ScopedRecord[]>
  /** Where a record stands in an order, and the group it belongs to, in each connection that has it. */
  locate(
    scope: ReadScope,
    query: { key: string; sort: string | undefined; groupField: string | undefined },
  ): Promise<RecordPosition[]>
  /** Records of the scope that belong to others, by `connection_id/key` of the parent. */
  children(
    scope: ReadScope,
    query: ChildrenQuery,
  ): Promise<ReadonlyMap<string, { records: ScopedRecord[]; hasMore: boolean }>>
  /**
   * Records of the scope that others belong to, one at a time and each once, in the order in which the children first
   * name them, with the numbers of those children. A parent is of its child's own connection.
   */
  parents(scope: ReadScope, query: ParentsQuery): AsyncIterable<{ parent: ScopedRecord; children: number[] }>
  /** Of one connection of the scope where it is named. Stops when the caller does not wait any more. */
  count(
    scope: ReadScope,
    conditions?: readonly FieldCondition[],
    connectionId?: string,
    signal?: RequestSignal,
  ): Promise<number>
  /** The present version of every feed in scope. */
  versions(scope: ReadScope): Promise<FeedPosition[]>
  changes(scope: ReadScope, query: ChangesQuery): Promise<ChangePage>
  /** One entry per connection of the scope. */
  statistics(scope: ReadScope, signal?: RequestSignal): Promise<StreamStatistics[]>
}

/** Which feed a write goes to. */
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
  /** Members as parsed by `parseJson`: long numbers kept. */
  readonly members: Readonly<Record<string, unknown>>
  /** The blobs that they refer to; they must be there before. */
  readonly blobs?: readonly BlobUse[] | undefined
}

/** One place in a record that refers to a blob. */
export interface BlobUse {
  /** The declared field that the path begins with. */
  readonly field: string
  /** RFC 6901. */
  readonly path: string
  readonly sha256: string
  /** As the record says it. */
  readonly sizeBytes: number | undefined
}

/** `blob_not_found`: it refers to one that is not here, or is of another size. */
export type WriteOutcome = 'accepted' | 'unchanged' | 'append_only_conflict' | 'blob_not_found'

export interface RecordWriter {
  /** All of them in one transaction; one outcome for each, in order. What an import writes can be undone. */
  write(target: FeedKey, records: readonly RecordWrite[], importId?: string): Promise<WriteOutcome[]>
  /** Notes that the source was read (or tried), whether or not anything changed. */
  noteSync(target: FeedKey, at: number, ok: boolean): Promise<void>
  /** Removes every record and its history; cursors over it expire. Returns how many records went. */
  wipe(target: FeedKey): Promise<number>
  /**
   * Deletes a record and takes its words out of the index for good. A tombstone with its key stays for those who
   * follow changes; receipts can no longer name it. `again` where it was deleted before, `absent` where it never was.
   */
  erase(target: FeedKey, key: string): Promise<'erased' | 'again' | 'absent'>
  /** Finishes removals and indexing that were interrupted. */
  resume(): Promise<void>
}
