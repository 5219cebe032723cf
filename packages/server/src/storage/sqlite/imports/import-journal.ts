import type { Handle } from '../engine/database.ts'
import type { Feed } from '../records/feeds.ts'

/** Max. bytes of previous content per import. If an import changes more, its changes cannot be undone. */
const MAX_BEFORE_BYTES = 500_000_000

/**
 * Records what one transaction of an import does to a feed, in the same transaction. The change log already has the
 * records; this stores which import wrote each version range, and the previous content of changed records.
 */
export class ImportJournal {
  readonly #db: Handle
  readonly #no: number
  readonly #feed: number
  readonly #from: number
  readonly #stream: string
  readonly #connectionId: string
  #keepsContent: boolean
  #bytes: number
  #added = 0
  #changed = 0

  constructor(db: Handle, importId: string, { feed, version, connectionId }: Feed, stream: string) {
    const row = db.get<{ import_no: number; before_bytes: number; dropped: string | null }>(
      'select import_no, before_bytes, dropped from import where import_id = ?',
      importId,
    )
    if (!row) throw new Error(`There is no import ${importId}.`)
    this.#db = db
    this.#no = row.import_no
    this.#feed = feed
    this.#from = version
    this.#stream = stream
    this.#connectionId = connectionId
    this.#keepsContent = row.dropped === null
    this.#bytes = row.before_bytes
  }

  added(): void {
    this.#added++
  }

  /** Call before a record is changed. Content that this import wrote itself is not kept. */
  changing(record: number, data: string): void {
    const version = latestVersion(this.#db, this.#feed, record)
    if (version > this.#from || ownerOf(this.#db, this.#feed, version) === this.#no) return
    this.#changed++
    if (!this.#keepsContent) return
    this.#bytes += data.length
    if (this.#bytes > MAX_BEFORE_BYTES) this.#giveUp()
    else
      this.#db.run(
        'insert or replace into import_before values (?, ?, ?, ?, ?)',
        this.#no,
        this.#feed,
        record,
        version,
        data,
      )
  }

  /** Call at the end of the transaction. */
  wrote(version: number): void {
    if (version === this.#from) return
    noteVersions(this.#db, this.#feed, this.#no, this.#from + 1, version)
    this.#db.run('update import set before_bytes = ? where import_no = ?', this.#bytes, this.#no)
    const sql = `insert into import_feed (import_no, feed, connection_id, stream, added, changed) values (?, ?, ?, ?, ?, ?)
      on conflict do update set added = added + excluded.added, changed = changed + excluded.changed`
    this.#db.run(sql, this.#no, this.#feed, this.#connectionId, this.#stream, this.#added, this.#changed)
  }

  #giveUp(): void {
    this.#keepsContent = false
    this.#bytes = 0
    this.#db.run('delete from import_before where import_no = ?', this.#no)
    this.#db.run("update import set dropped = 'too_large' where import_no = ?", this.#no)
  }
}

function latestVersion(db: Handle, feed: number, record: number): number {
  const sql = 'select max(version) version from change where feed = ? and record = ?'
  return db.get<{ version: number | null }>(sql, feed, record)!.version ?? 0
}

/** The import that wrote a version, if any. */
export function ownerOf(db: Handle, feed: number, version: number): number | undefined {
  const sql = 'select import_no, first from import_version where feed = ? and last >= ? order by last limit 1'
  const range = db.get<{ import_no: number; first: number }>(sql, feed, version)
  return range && range.first <= version ? range.import_no : undefined
}

/** Stores a version range. A range that continues the previous one of the same import is merged with it. */
export function noteVersions(db: Handle, feed: number, importNo: number, first: number, last: number): void {
  const before = 'update import_version set last = ? where feed = ? and last = ? and import_no = ?'
  if (db.run(before, last, feed, first - 1, importNo) > 0) return
  db.run('insert into import_version values (?, ?, ?, ?)', feed, last, first, importNo)
}
