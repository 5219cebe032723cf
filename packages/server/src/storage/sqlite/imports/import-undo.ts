import { blobPaths, parseJson } from '@pdpp/protocol'
import { blobUses } from '../../../blobs/blob-uses.ts'
import type { BlobUse, FeedKey, RecordWrite } from '../../../records/record-store.ts'
import type { BlobReferences } from '../blobs/blob-references.ts'
import type { Handle } from '../engine/database.ts'
import { FeedWrite, requireDeclared } from '../records/feed-write.ts'
import { tableName } from '../records/stream-table.ts'
import { noteVersions, ownerOf } from './import-journal.ts'

interface FeedRow extends FeedKey {
  readonly feed: number
  readonly streamNo: number
  readonly undoAt: number | null
}

interface Before {
  readonly data: string
  readonly version: number
}

/** The blobs that may have lost their last reference in one slice. */
export interface UndoneSlice {
  readonly subjectId: string
  readonly lostBlobs: ReadonlySet<string>
}

/** Undoes a slice of an import's records, newest version first, in one transaction. Undefined if nothing is left. */
export function undoSome(
  db: Handle,
  blobs: BlobReferences,
  importNo: number,
  records: number,
): UndoneSlice | undefined {
  const sql = `select f.feed, f.subject_id subjectId, f.connection_id connectionId, s.connector_key connectorKey,
      s.name stream, s.stream_no streamNo, i.undo_at undoAt
    from import_feed i join feed f using (feed) join stream s using (stream_no)
    where i.import_no = ? and f.erased = 0 and coalesce(i.undo_at, 1) > 0 order by f.feed limit 1`
  const feed = db.get<FeedRow & Record<string, unknown>>(sql, importNo)
  if (!feed) return
  const undo = new FeedUndo(db, blobs, importNo, feed)
  undo.run(records)
  return { subjectId: feed.subjectId, lostBlobs: undo.lostBlobs }
}

class FeedUndo {
  readonly #db: Handle
  readonly #no: number
  readonly #feed: FeedRow
  readonly #blobs: BlobReferences
  readonly #write: FeedWrite
  readonly #counts = { removed: 0, restored: 0, kept: 0 }

  constructor(db: Handle, blobs: BlobReferences, importNo: number, feed: FeedRow) {
    this.#db = db
    this.#blobs = blobs
    this.#no = importNo
    this.#feed = feed
    this.#write = new FeedWrite(db, feed, blobs)
  }

  get lostBlobs(): ReadonlySet<string> {
    return this.#write.lostBlobs
  }

  run(limit: number): void {
    const { feed, undoAt } = this.#feed
    const before = undoAt ?? Number.MAX_SAFE_INTEGER
    const ranges =
      'select first, last from import_version where import_no = ? and feed = ? and first < ? order by last desc limit 1'
    const range = this.#db.get<{ first: number; last: number }>(ranges, this.#no, feed, before)
    if (!range) {
      this.#finish()
      return
    }
    const sql =
      'select distinct version, record from change where feed = ? and version between ? and ? order by version desc limit ?'
    const newest = Math.min(range.last, before - 1)
    const rows = this.#db.all<{ version: number; record: number }>(sql, feed, range.first, newest, limit)
    for (const { version, record } of rows) this.#undo(version, record)
    this.#note(rows.length < limit ? range.first : rows.at(-1)!.version)
  }

  /**
   * Counts the previous content that is left over as kept, because the log may lack the first of two changes to a
   * record.
   */
  #finish(): void {
    const left = 'delete from import_before where import_no = ? and feed = ?'
    this.#counts.kept += this.#db.run(left, this.#no, this.#feed.feed)
    this.#note(0)
  }

  /** Stores the progress in the same transaction, so that undoing continues there after a crash. */
  #note(undoAt: number): void {
    const sql = `update import_feed set undo_at = ?, removed = removed + ?, restored = restored + ?, kept = kept + ?
      where import_no = ? and feed = ?`
    const { removed, restored, kept } = this.#counts
    this.#db.run(sql, undoAt, removed, restored, kept, this.#no, this.#feed.feed)
  }

  #undo(version: number, record: number): void {
    const { feed } = this.#feed
    const versions = this.#db.column<number>(
      'select distinct version from change where feed = ? and record = ? order by version desc',
      feed,
      record,
    )
    // Decide once per record, at its newest version by this import.
    if (versions.find((each) => ownerOf(this.#db, feed, each) === this.#no) !== version) return
    const earlier = this.#earlier(record)
    if (versions[0] !== version) {
      if (!earlier) this.#counts.kept++
      return
    }
    const sql = `select key from ${tableName(this.#feed.streamNo)} where id = ?`
    const row = this.#db.get<{ key: string }>(sql, record)
    if (!row) return
    if (earlier) this.#restore(row.key, earlier, record)
    else this.#remove(row.key)
  }

  #earlier(record: number): Before | undefined {
    const sql = 'select data, version from import_before where import_no = ? and feed = ? and record = ?'
    return this.#db.get<Before & Record<string, unknown>>(sql, this.#no, this.#feed.feed, record)
  }

  #remove(key: string): void {
    if (this.#apply({ key, emittedAt: Date.now(), data: undefined })) this.#counts.removed++
  }

  #restore(key: string, { data, version }: Before, record: number): void {
    const members = parseJson(data) as Record<string, unknown>
    if (!this.#apply({ key, emittedAt: Date.now(), data: { members, blobs: this.#blobsOf(members) } })) return
    this.#counts.restored++
    const { feed } = this.#feed
    this.#db.run('delete from import_before where import_no = ? and feed = ? and record = ?', this.#no, feed, record)
    // The record is as an earlier import left it, so undoing that import must be able to change it.
    const owner = ownerOf(this.#db, feed, version)
    if (owner !== undefined) noteVersions(this.#db, feed, owner, this.#write.version, this.#write.version)
  }

  /** Drops blobs that were deleted when the record was replaced. The record comes back without them. */
  #blobsOf(members: Record<string, unknown>): BlobUse[] {
    const uses = blobUses(blobPaths(requireDeclared(this.#db, this.#feed)), members)
    return typeof uses === 'string' ? [] : uses.filter((use) => this.#blobs.areStored(this.#feed.subjectId, [use]))
  }

  #apply(write: RecordWrite): boolean {
    return this.#write.apply([write])[0] === 'accepted'
  }
}
