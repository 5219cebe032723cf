import type { ReadScope } from '../../../grants/read-scope.ts'
import type { RequestSignal } from '../../../lib/request-signal.ts'
import type { FieldCondition } from '../../../records/filter.ts'
import type {
  ChangeCount,
  ChangePage,
  ChangeRange,
  ChangesQuery,
  ChildrenQuery,
  FeedPosition,
  PageQuery,
  ParentsQuery,
  RecordPage,
  RecordReader,
  ScopedRecord,
  StreamStatistics,
} from '../../../records/record-store.ts'
import type { Handle, ReadDatabases } from '../engine/database.ts'
import type { ReadPool } from '../engine/read-pool.ts'
import { MAX_INLINE_INDEX_ROWS, MAX_INLINE_ROWS } from '../engine/read-task.ts'
import { countChanges, readChanges } from './change-reader.ts'
import { readChildren } from './child-reader.ts'
import { feedsInScope, streamTable } from './feeds.ts'
import { LastChanges, lastChange } from './last-change.ts'
import { isScanned } from './page-index.ts'
import { locateRecord, readPage } from './page-reader.ts'
import { readParents } from './parent-reader.ts'
import { RecordRows } from './record-rows.ts'
import { countRecords, isLimited, readStatistics } from './record-statistics.ts'

/** Reads through a connection that cannot write. */
export class SqliteRecordReader implements RecordReader {
  readonly #reader: Handle
  readonly #pool: ReadPool | undefined
  readonly #lastChanges: LastChanges

  constructor({ reader, pool }: ReadDatabases, lastChanges = new LastChanges(pool)) {
    this.#reader = reader
    this.#pool = pool
    this.#lastChanges = lastChanges
  }

  async page(scope: ReadScope, query: PageQuery, signal?: RequestSignal): Promise<RecordPage> {
    const rows = this.#rows(scope)
    if (!rows) return { records: [], hasMore: false }
    if (this.#pool && isScanned(rows, query)) return this.#pool.run({ kind: 'page', scope, query }, signal)
    return readPage(rows, query)
  }

  async find(scope: ReadScope, key: string): Promise<ScopedRecord[]> {
    const rows = this.#rows(scope)
    return rows ? rows.find(key).map((row) => rows.toRecord(row)) : []
  }

  async locate(scope: ReadScope, query: { key: string; sort: string | undefined; groupField: string | undefined }) {
    const rows = this.#rows(scope)
    return rows ? locateRecord(rows, query) : []
  }

  async children(scope: ReadScope, query: ChildrenQuery) {
    const rows = this.#rows(scope)
    return rows ? readChildren(rows, query) : new Map()
  }

  async *parents(scope: ReadScope, query: ParentsQuery) {
    const [rows, children] = [this.#rows(scope), this.#rows(query.from)]
    if (rows && children) yield* readParents(rows, children, query)
  }

  async count(
    scope: ReadScope,
    conditions: readonly FieldCondition[] = [],
    connectionId?: string,
    signal?: RequestSignal,
  ): Promise<number> {
    const rows = this.#rows(scope)
    if (!rows) return 0
    const isLong = rows.feeds.reduce((sum, feed) => sum + feed.recordCount, 0) > MAX_INLINE_INDEX_ROWS
    if (!this.#pool || !isLong || !isLimited(rows, conditions)) return countRecords(rows, conditions, connectionId)
    return this.#pool.run({ kind: 'count', scope, conditions, connectionId }, signal)
  }

  async versions(scope: ReadScope): Promise<FeedPosition[]> {
    return this.#rows(scope)?.feeds.map(({ feed, version }) => ({ feed, version })) ?? []
  }

  async changes(scope: ReadScope, query: ChangesQuery): Promise<ChangePage> {
    const rows = this.#rows(scope)
    return rows ? readChanges(rows, query) : { changes: [], hasMore: false }
  }

  async countChanges(scope: ReadScope, range: ChangeRange): Promise<ChangeCount> {
    const rows = this.#rows(scope)
    if (!rows) return { upserted: 0, deleted: 0 }
    if (this.#pool && versionsIn(range) > (isLimited(rows, []) ? MAX_INLINE_ROWS : MAX_INLINE_INDEX_ROWS))
      return this.#pool.run({ kind: 'count_changes', scope, range })
    return countChanges(rows, range)
  }

  async statistics(scope: ReadScope, signal?: RequestSignal): Promise<StreamStatistics[]> {
    const rows = this.#rows(scope)
    if (!rows) return []
    return readStatistics(rows, {
      count: (connectionId) => this.count(scope, [], connectionId, signal),
      changedAt: (feed) => this.#lastChanges.at(rows, feed, signal),
    })
  }

  /** Called in a pool thread, for a long change log. */
  async lastChange(scope: ReadScope, feed: number, after: number, until: number): Promise<number | undefined> {
    const rows = this.#rows(scope)
    return rows && lastChange(rows, feed, after, until)
  }

  #rows(scope: ReadScope): RecordRows | undefined {
    // A thread gets a new scope with every task, so caching by scope would be useless there.
    return this.#pool
      ? this.#reader.cachedWith(scope, () => ({ rows: this.#openRows(scope) })).rows
      : this.#openRows(scope)
  }

  #openRows(scope: ReadScope): RecordRows | undefined {
    const table = streamTable(this.#reader, scope.subjectId, scope.connectorKey, scope.stream.name)
    return table && new RecordRows(this.#reader, scope, table, feedsInScope(this.#reader, scope, table))
  }
}

function versionsIn({ since, horizon }: ChangeRange): number {
  const start = new Map(since.map(({ feed, version }) => [feed, version]))
  return horizon.reduce((sum, { feed, version }) => sum + version - (start.get(feed) ?? 0), 0)
}
