import type { ReadScope } from '../../../grants/read-scope.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import type { ScopedRecord } from '../../../records/record-store.ts'
import { touchesSql } from '../../records/change-mask.ts'
import { type Condition, joinConditions } from '../../records/conditions.ts'
import type { Layout } from '../../records/layout.ts'
import { Projection } from '../../records/projection.ts'
import { LARGE_BYTES } from '../../records/record-brief.ts'
import type { Session } from '../engine/session.ts'
import type { Feed, StoredStream, StreamInScope } from './feeds.ts'
import { recordConditions } from './scope-sql.ts'

/** The columns of a listed row, in their order. */
export const LISTED_COLUMNS = ['id', 'feed', 'key', 'emitted_at', 'extra', 'data', 'brief', 'left_out'] as const

/** A row of a list. `data` is null if the record is large. */
export interface ListedRow {
  id: number
  feed: number
  key: string
  emitted_at: number
  extra: number
  data: string | null
  /** The brief form of a large record, if it has one and the list reads it. */
  brief?: string | null
  left_out?: string | null
}

/** Thrown if a large record is met by a read that must not read large records. */
export class LargeRecord extends Error {}

/** The rows of one stream in a scope. Turns them into records, so that no hidden field leaves this class. */
export class RecordRows {
  /** The `LISTED_COLUMNS` of a row over the alias `r`. */
  readonly columns: string
  readonly session: Session
  readonly scope: ReadScope
  readonly stream: StoredStream
  readonly feeds: readonly Feed[]
  readonly feedList: readonly number[]
  /** The grant's limits on single records. */
  readonly limits: Condition
  /** False if rows are not all read at one moment. Then a large record could be gone before it is read. */
  readonly readsLarge: boolean
  readonly #connections: Map<number, string>
  readonly #projection: Projection
  #shape: string | undefined

  constructor(session: Session, scope: ReadScope, { stream, feeds }: StreamInScope, readsLarge = true) {
    this.readsLarge = readsLarge
    this.session = session
    this.scope = scope
    this.stream = stream
    this.feeds = feeds
    this.feedList = feeds.map(({ feed }) => feed)
    this.limits = joinConditions(recordConditions(scope, stream.layout))
    this.columns = `r.id, r.feed, r.key, ${emittedAtSql(scope, stream.layout)} emitted_at, r.extra,
      case when octet_length(r.data) <= ${LARGE_BYTES} then r.data end "data", r.brief, r.left_out`
    this.#connections = new Map(feeds.map(({ feed, connectionId }) => [feed, connectionId]))
    this.#projection = new Projection(scope, stream.layout)
  }

  get subject(): number {
    return this.stream.subject
  }

  get layout(): Layout {
    return this.stream.layout
  }

  /** Rows of the same shape can be read with one statement. */
  get shape(): string {
    this.#shape ??= [this.columns, this.limits.sql, ...this.limits.values.map(String)].join('\n')
    return this.#shape
  }

  connectionOf(feed: number): string {
    return this.#connections.get(feed)!
  }

  /** Reads a large record only when its turn comes. */
  async toRecord(row: ListedRow): Promise<ScopedRecord> {
    const { extra } = row
    return {
      number: row.id,
      connectionId: this.connectionOf(row.feed),
      key: row.key,
      emittedAt: row.emitted_at,
      json: this.#projection.json({ extra, data: row.data ?? this.brief(row) ?? (await this.large(row)) }),
    }
  }

  /** The brief form of a large record, if it has all fields of the scope. */
  brief({ brief, left_out: leftOut }: ListedRow): string | undefined {
    const { projection } = this.scope
    if (projection === 'all' || !brief || !leftOut) return
    return storedJson<string[]>(leftOut).some((name) => projection.includes(name)) ? undefined : brief
  }

  async toRecords(rows: readonly ListedRow[]): Promise<ScopedRecord[]> {
    const records: ScopedRecord[] = []
    for (const row of rows) records.push(await this.toRecord(row))
    return records
  }

  async large({ feed, id }: Pick<ListedRow, 'feed' | 'id'>): Promise<string> {
    if (!this.readsLarge) throw new LargeRecord()
    const sql = 'select data from record where subject = ? and feed = ? and id = ?'
    return (await this.session.column<string>(sql, this.subject, feed, id))[0] ?? '{}'
  }

  /** The members of a parsed record that the scope shows. */
  members(row: Pick<ListedRow, 'extra'>, data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return this.#projection.members(row, data)
  }
}

/** When a field of the scope last changed. The time must not reveal an update of hidden fields. */
function emittedAtSql({ projection }: ReadScope, layout: Layout): string {
  if (projection === 'all') return 'r.emitted_at'
  return `case when r.touched = 0 then r.emitted_at else coalesce((select c.emitted_at from change c
    where c.subject = r.subject and c.feed = r.feed and c.record = r.id and ${touchesSql(layout, projection, 'c')}
    order by c.version desc limit 1), r.emitted_at) end`
}
