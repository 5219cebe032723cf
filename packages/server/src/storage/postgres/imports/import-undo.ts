import { blobPaths, parseJson } from '@pdpp/protocol'
import { blobUses } from '../../../blobs/blob-uses.ts'
import type { BlobUse, FeedKey, RecordData, RecordWrite } from '../../../records/record-store.ts'
import type { Session } from '../engine/session.ts'
import { FeedWrite } from '../records/feed-write.ts'
import type { Streams } from '../records/feeds.ts'
import { noteVersions, ownerOf, versionsOf } from './import-journal.ts'

interface FeedRow extends Omit<FeedKey, 'subjectId'> {
  readonly feed: number
  readonly undoAt: number | null
}

interface Before {
  readonly data: string
  readonly version: number
}

/** An import of an owner. */
export interface StoredImportKey {
  readonly subject: number
  readonly subjectId: string
  readonly importNo: number
}

/** Undoes a slice of an import's records, newest version first, in one transaction. False if nothing is left. */
export async function undoSome(
  session: Session,
  streams: Streams,
  key: StoredImportKey,
  records: number,
): Promise<boolean> {
  const sql = `select f.feed, f.connection_id "connectionId", s.connector_key "connectorKey", s.name stream, i.undo_at "undoAt"
    from import_feed i join feed f using (subject, feed) join stream s using (subject, stream_no)
    where i.subject = ? and i.import_no = ? and f.erased = 0 and coalesce(i.undo_at, 1) > 0 order by f.feed limit 1`
  const feed = await session.get<FeedRow>(sql, key.subject, key.importNo)
  if (!feed) return false
  const target = { ...feed, subjectId: key.subjectId }
  const write = await FeedWrite.open(session, key.subject, target, streams)
  await new FeedUndo(session, streams, key, feed, target, write).run(records)
  return true
}

class FeedUndo {
  readonly #session: Session
  readonly #streams: Streams
  readonly #key: StoredImportKey
  readonly #feed: FeedRow
  readonly #target: FeedKey
  readonly #write: FeedWrite
  readonly #counts = { removed: 0, restored: 0, kept: 0 }

  constructor(
    session: Session,
    streams: Streams,
    key: StoredImportKey,
    feed: FeedRow,
    target: FeedKey,
    write: FeedWrite,
  ) {
    this.#session = session
    this.#streams = streams
    this.#key = key
    this.#feed = feed
    this.#target = target
    this.#write = write
  }

  get #feedId() {
    return { subject: this.#key.subject, feed: this.#feed.feed }
  }

  async run(limit: number): Promise<void> {
    const { subject, importNo } = this.#key
    const before = this.#feed.undoAt ?? Number.MAX_SAFE_INTEGER
    const ranges = `select first, last from import_version
      where subject = ? and import_no = ? and feed = ? and first < ? order by last desc limit 1`
    const range = await this.#session.get<{ first: number; last: number }>(
      ranges,
      ...[subject, importNo, this.#feed.feed, before],
    )
    if (!range) return this.#finish()
    const sql = `select distinct version, record from change
      where subject = ? and feed = ? and version between ? and ? order by version desc limit ?`
    const newest = Math.min(range.last, before - 1)
    const rows = await this.#session.all<{ version: number; record: number }>(
      sql,
      ...[subject, this.#feed.feed, range.first, newest, limit],
    )
    await this.#undo(rows)
    await this.#note(rows.length < limit ? range.first : rows.at(-1)!.version)
  }

  /**
   * Counts the previous content that is left over as kept, because the log may lack the first of two changes to a
   * record.
   */
  async #finish(): Promise<void> {
    const left = 'delete from import_before where subject = ? and import_no = ? and feed = ?'
    this.#counts.kept += await this.#session.run(left, this.#key.subject, this.#key.importNo, this.#feed.feed)
    await this.#note(0)
  }

  /** Stores the progress in the same transaction, so that undoing continues there after a crash. */
  async #note(undoAt: number): Promise<void> {
    const sql = `update import_feed set undo_at = ?, removed = removed + ?, restored = restored + ?, kept = kept + ?
      where subject = ? and import_no = ? and feed = ?`
    const { removed, restored, kept } = this.#counts
    await this.#session.run(
      sql,
      undoAt,
      removed,
      restored,
      kept,
      this.#key.subject,
      this.#key.importNo,
      this.#feed.feed,
    )
  }

  /** Decides once per record, at its newest version by this import. Writes all records at once. */
  async #undo(rows: readonly { version: number; record: number }[]): Promise<void> {
    const records = [...new Set(rows.map(({ record }) => record))]
    const versions = await versionsOf(this.#session, this.#feedId, records)
    const [before, keys] = [await this.#before(records), await this.#keys(records)]
    const undone: { write: RecordWrite; record: number; before: Before | undefined }[] = []
    for (const { version, record } of rows) {
      const known = versions.get(record)!
      if (known.find((one) => one.import_no === this.#key.importNo)?.version !== version) continue
      const [earlier, key] = [before.get(record), keys.get(record)]
      if (known[0]!.version !== version) {
        if (!earlier) this.#counts.kept++
      } else if (key !== undefined) {
        const data = earlier && (await this.#dataOf(earlier))
        undone.push({ write: { key, emittedAt: Date.now(), data }, record, before: earlier })
      }
    }
    let { version: written } = this.#write
    const outcomes = undone.length === 0 ? [] : await this.#write.apply(undone.map(({ write }) => write))
    const restored: { record: number; before: Before; version: number }[] = []
    for (const [at, { record, before: earlier }] of undone.entries()) {
      if (outcomes[at] !== 'accepted') continue
      written++
      if (earlier) restored.push({ record, before: earlier, version: written })
      else this.#counts.removed++
    }
    await this.#noteRestored(restored)
  }

  async #noteRestored(restored: readonly { record: number; before: Before; version: number }[]): Promise<void> {
    if (restored.length === 0) return
    this.#counts.restored += restored.length
    const { subject, feed } = this.#feedId
    const forget = `delete from import_before
      where subject = ? and import_no = ? and feed = ? and record = any(?::bigint[])`
    const records = restored.map(({ record }) => record)
    await this.#session.run(forget, subject, this.#key.importNo, feed, records)
    // A record is as an earlier import left it, so undoing that import must be able to change it.
    for (const { before, version } of restored) {
      const owner = await ownerOf(this.#session, this.#feedId, before.version)
      if (owner !== undefined) await noteVersions(this.#session, this.#feedId, owner, version, version)
    }
  }

  async #before(records: readonly number[]): Promise<Map<number, Before>> {
    const sql = `select record, data, version from import_before
      where subject = ? and import_no = ? and feed = ? and record = any(?::bigint[])`
    const rows = await this.#session.all<Before & { record: number }>(
      sql,
      ...[this.#key.subject, this.#key.importNo, this.#feed.feed, records],
    )
    return new Map(rows.map((row) => [row.record, row]))
  }

  async #keys(records: readonly number[]): Promise<Map<number, string>> {
    const sql = 'select id, key from record where subject = ? and feed = ? and id = any(?::bigint[])'
    const { subject, feed } = this.#feedId
    const rows = await this.#session.all<{ id: number; key: string }>(sql, subject, feed, records)
    return new Map(rows.map(({ id, key }) => [id, key]))
  }

  /** Drops blobs that were deleted when the record was replaced. The record comes back without them. */
  async #dataOf({ data }: Before): Promise<RecordData> {
    const members = parseJson(data) as Record<string, unknown>
    const declared = await this.#streams.requireDeclared(this.#session, this.#key.subject, this.#target)
    const uses = blobUses(blobPaths(declared), members)
    if (typeof uses === 'string' || uses.length === 0) return { members, blobs: [] }
    const sql = 'select sha256, size_bytes from blob where subject = ? and sha256 = any(?::text[])'
    const rows = await this.#session.all<{ sha256: string; size_bytes: number }>(
      sql,
      ...[this.#key.subject, uses.map(({ sha256 }) => sha256)],
    )
    const sizes = new Map(rows.map((row) => [row.sha256, row.size_bytes]))
    const isStored = ({ sha256, sizeBytes }: BlobUse) =>
      sizes.has(sha256) && (sizeBytes ?? sizes.get(sha256)) === sizes.get(sha256)
    return { members, blobs: uses.filter(isStored) }
  }
}
