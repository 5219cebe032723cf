import type { Session } from '../engine/session.ts'
import type { Feed } from '../records/feeds.ts'
import type { RecordState } from '../records/record-batch.ts'

/** Max. bytes of previous content per import. If an import changes more, its changes cannot be undone. */
const MAX_BEFORE_BYTES = 500_000_000

interface FeedId {
  readonly subject: number
  readonly feed: number
}

/**
 * Records what one transaction of an import does to a feed, in the same transaction. The change log already has the
 * records; this stores which import wrote each version range, and the previous content of changed records.
 */
export class ImportJournal {
  readonly #session: Session
  readonly #feedId: FeedId
  readonly #no: number
  readonly #from: number
  /** The last version of each stored record, and the import that wrote it. */
  readonly #versions: ReadonlyMap<number, RecordVersion>
  readonly #before = new Map<number, { readonly version: number; readonly data: string }>()
  #keepsContent: boolean
  #bytes: number
  #added = 0
  #changed = 0

  private constructor(
    session: Session,
    feedId: FeedId,
    row: ImportRow,
    from: number,
    versions: Map<number, RecordVersion>,
  ) {
    this.#session = session
    this.#feedId = feedId
    this.#no = row.import_no
    this.#from = from
    this.#versions = versions
    this.#keepsContent = row.dropped === null
    this.#bytes = row.before_bytes
  }

  static async open(
    session: Session,
    feedId: FeedId,
    importId: string,
    stored: readonly RecordState[],
    from: number,
  ): Promise<ImportJournal> {
    const sql = `select import_no, before_bytes, dropped from import where subject = ? and import_id = ? for update`
    const row = await session.get<ImportRow>(sql, feedId.subject, importId)
    if (!row) throw new Error(`There is no import ${importId}.`)
    const ids = stored.map(({ id }) => id)
    return new ImportJournal(session, feedId, row, from, await lastVersions(session, feedId, ids))
  }

  added(): void {
    this.#added++
  }

  /** Call before a record is changed. Content that this import wrote itself is not kept. */
  changing({ id, data }: RecordState): void {
    const last = this.#versions.get(id)
    // Skips records that are new in this transaction or already noted.
    if (!last || last.import_no === this.#no || this.#before.has(id)) return
    this.#changed++
    this.#bytes += data.length
    this.#before.set(id, { version: last.version, data })
  }

  /** Call at the end of the transaction. */
  async wrote(version: number, { connectionId }: Feed, stream: string): Promise<void> {
    if (version === this.#from) return
    const { subject, feed } = this.#feedId
    await noteVersions(this.#session, this.#feedId, this.#no, this.#from + 1, version)
    if (this.#keepsContent) await this.#keep()
    const saved = 'update import set before_bytes = ? where subject = ? and import_no = ?'
    await this.#session.run(saved, this.#keepsContent ? this.#bytes : 0, subject, this.#no)
    const sql = `insert into import_feed (subject, import_no, feed, connection_id, stream, added, changed)
      values (?, ?, ?, ?, ?, ?, ?) on conflict (subject, import_no, feed) do update
      set added = import_feed.added + excluded.added, changed = import_feed.changed + excluded.changed`
    await this.#session.run(sql, subject, this.#no, feed, connectionId, stream, this.#added, this.#changed)
  }

  async #keep(): Promise<void> {
    const { subject, feed } = this.#feedId
    if (this.#bytes > MAX_BEFORE_BYTES) {
      this.#keepsContent = false
      await this.#session.run('delete from import_before where subject = ? and import_no = ?', subject, this.#no)
      await this.#session.run(
        `update import set dropped = 'too_large' where subject = ? and import_no = ?`,
        ...[subject, this.#no],
      )
      return
    }
    const rows = [...this.#before]
    if (rows.length === 0) return
    const sql = `insert into import_before select ?, ?, ?, * from unnest(?::bigint[], ?::bigint[], ?::text[])
      on conflict (subject, import_no, feed, record) do update set version = excluded.version, data = excluded.data`
    await this.#session.run(
      sql,
      ...[subject, this.#no, feed, rows.map(([id]) => id)],
      ...[rows.map(([, { version }]) => version), rows.map(([, { data }]) => data)],
    )
  }
}

interface ImportRow {
  import_no: number
  before_bytes: number
  dropped: string | null
}

export interface RecordVersion {
  record: number
  version: number
  import_no: number | null
}

const OWNER_OF = `(select case when v.first <= x.version then v.import_no end from import_version v
  where v.subject = x.subject and v.feed = x.feed and v.last >= x.version order by v.last limit 1)`

async function lastVersions(
  session: Session,
  { subject, feed }: FeedId,
  ids: readonly number[],
): Promise<Map<number, RecordVersion>> {
  const sql = `select record, version, ${OWNER_OF} import_no from (select subject, feed, record, max(version) version from change
    where subject = ? and feed = ? and record = any(?::bigint[]) group by subject, feed, record) x`
  const rows = ids.length === 0 ? [] : await session.all<RecordVersion>(sql, subject, feed, ids)
  return new Map(rows.map((row) => [row.record, row]))
}

/** All versions of each of these records, the newest first, with the imports that wrote them. */
export async function versionsOf(
  session: Session,
  { subject, feed }: FeedId,
  records: readonly number[],
): Promise<Map<number, RecordVersion[]>> {
  const sql = `select record, version, ${OWNER_OF} import_no from (select distinct subject, feed, record, version from change
    where subject = ? and feed = ? and record = any(?::bigint[])) x order by record, version desc`
  return Map.groupBy(await session.all<RecordVersion>(sql, subject, feed, records), ({ record }) => record)
}

/** The import that wrote a version, if any. */
export async function ownerOf(
  session: Session,
  { subject, feed }: FeedId,
  version: number,
): Promise<number | undefined> {
  const sql = `select ${OWNER_OF} from (select ?::bigint subject, ?::bigint feed, ?::bigint "version") x`
  return (await session.column<number | null>(sql, subject, feed, version))[0] ?? undefined
}

/** Stores a version range. A range that continues the previous one of the same import is merged with it. */
export async function noteVersions(
  session: Session,
  { subject, feed }: FeedId,
  importNo: number,
  first: number,
  last: number,
): Promise<void> {
  const before = 'update import_version set last = ? where subject = ? and feed = ? and last = ? and import_no = ?'
  if ((await session.run(before, last, subject, feed, first - 1, importNo)) > 0) return
  await session.run('insert into import_version values (?, ?, ?, ?, ?)', subject, feed, last, first, importNo)
}
