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
import { fieldOf, type Layout } from '../../records/layout.ts'
import type { Database } from '../engine/database.ts'
import type { ReadPool } from '../engine/read-pool.ts'
import type { Session } from '../engine/session.ts'
import type { Owners } from '../installation/owners.ts'
import { countChanges, readChanges } from './change-reader.ts'
import { readChildren } from './child-reader.ts'
import type { Streams } from './feeds.ts'
import { locateRecord, readPage } from './page-reader.ts'
import { readParents } from './parent-reader.ts'
import { LargeRecord, type ListedRow, RecordRows } from './record-rows.ts'
import { countRecords, readStatistics } from './record-statistics.ts'
import { hasIndex } from './slots.ts'

const NO_RECORDS: RecordPage = { records: [], hasMore: false }

/** Whether a page reads one index without skipping rows, so that its cost depends only on the length of the page. */
const isShort = ({ time, resources }: ReadScope, { conditions = [], sort }: PageQuery): boolean =>
  conditions.length === 0 && resources === undefined && (time === undefined || time.field === sort)

/** Whether a page may have to read nearly all records, because a condition or the order has no index. */
const isScanned = (layout: Layout, { conditions = [], sort }: PageQuery): boolean =>
  [...conditions.map(({ field }) => field), ...(sort === undefined ? [] : [sort])].some((field) => {
    const column = fieldOf(layout, field)?.column
    return column !== undefined && !hasIndex(column)
  })

export class PostgresRecordReader implements RecordReader {
  readonly #database: Database
  readonly #owners: Owners
  readonly #streams: Streams
  readonly #pool: ReadPool

  constructor(database: Database, owners: Owners, streams: Streams, pool: ReadPool) {
    this.#database = database
    this.#owners = owners
    this.#streams = streams
    this.#pool = pool
  }

  async page(scope: ReadScope, query: PageQuery, signal?: RequestSignal): Promise<RecordPage> {
    const rows = await this.#placed(scope, false)
    if (!rows) return NO_RECORDS
    const read = () =>
      this.#database.cancellable(signal, (session) =>
        this.#read(session, scope, NO_RECORDS, (all) => readPage(all, query)),
      )
    if (isScanned(rows.layout, query)) return this.#pool.long(read, signal)
    if (!isShort(scope, query)) return read()
    signal?.check()
    return (await this.#shortPage(rows, query)) ?? read()
  }

  /**
   * Reads the page with one statement, without a transaction. Undefined if it has large records, which are read one by
   * one.
   */
  async #shortPage(rows: RecordRows, query: PageQuery): Promise<RecordPage | undefined> {
    try {
      return await readPage(rows, query)
    } catch (error) {
      if (error instanceof LargeRecord) return
      throw error
    }
  }

  async find(scope: ReadScope, key: string): Promise<ScopedRecord[]> {
    const rows = await this.#placed(scope)
    if (!rows) return []
    const sql = `select ${rows.columns} from record r
      where r.subject = ? and r.feed = any(?::bigint[]) and r.key = ? and ${rows.limits.sql} order by r.feed`
    const values = [rows.subject, rows.feedList, key, ...rows.limits.values]
    return rows.toRecords(await rows.session.all<ListedRow>(sql, ...values))
  }

  async locate(scope: ReadScope, query: { key: string; sort: string | undefined; groupField: string | undefined }) {
    const rows = await this.#placed(scope)
    return rows ? locateRecord(rows, query) : []
  }

  async children(scope: ReadScope, query: ChildrenQuery) {
    const rows = await this.#placed(scope)
    return rows ? readChildren(rows, query) : new Map()
  }

  async *parents(scope: ReadScope, query: ParentsQuery) {
    const [rows, children] = [await this.#rows(this.#database, scope), await this.#rows(this.#database, query.from)]
    if (rows && children) yield* readParents(rows, children, query)
  }

  async count(
    scope: ReadScope,
    conditions: readonly FieldCondition[] = [],
    connectionId?: string,
    signal?: RequestSignal,
  ): Promise<number> {
    const read = () =>
      this.#database.cancellable(signal, (session) =>
        this.#read(session, scope, 0, (rows) => countRecords(rows, conditions, connectionId)),
      )
    // The number of all records is stored.
    const isStored = conditions.length === 0 && scope.time === undefined && scope.resources === undefined
    return isStored ? read() : this.#pool.long(read, signal)
  }

  versions(scope: ReadScope): Promise<FeedPosition[]> {
    return this.#read(this.#database, scope, [], async ({ feeds }) =>
      feeds.map(({ feed, version }) => ({ feed, version })),
    )
  }

  changes(scope: ReadScope, query: ChangesQuery): Promise<ChangePage> {
    const nothing = { changes: [], hasMore: false }
    // Reads all feeds at one moment, so that no record appears in two of its states.
    return this.#database.snapshot((session) => this.#read(session, scope, nothing, (rows) => readChanges(rows, query)))
  }

  countChanges(scope: ReadScope, range: ChangeRange): Promise<ChangeCount> {
    const nothing = { upserted: 0, deleted: 0 }
    return this.#pool.long(() => this.#read(this.#database, scope, nothing, (rows) => countChanges(rows, range)))
  }

  async statistics(scope: ReadScope, signal?: RequestSignal): Promise<StreamStatistics[]> {
    return this.#database.cancellable(signal, (session) => this.#read(session, scope, [], readStatistics))
  }

  async #read<T>(session: Session, scope: ReadScope, nothing: T, read: (rows: RecordRows) => Promise<T>): Promise<T> {
    const rows = await this.#rows(session, scope)
    return rows ? read(rows) : nothing
  }

  /** The rows of feeds, cached for the owner's epoch. The versions and counts of these feeds are old. */
  async #placed(scope: ReadScope, readsLarge = true): Promise<RecordRows | undefined> {
    const subject = await this.#owners.find(scope.subjectId)
    if (subject === undefined) return
    const epoch = await this.#owners.epoch(subject)
    const found = await this.#streams.placed(this.#database, subject, epoch, scope)
    return found && new RecordRows(this.#database, scope, found, readsLarge)
  }

  async #rows(session: Session, scope: ReadScope): Promise<RecordRows | undefined> {
    const subject = await this.#owners.find(scope.subjectId)
    const found = subject === undefined ? undefined : await this.#streams.inScope(session, subject, scope)
    return found && new RecordRows(session, scope, found)
  }
}
