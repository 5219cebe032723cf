import type { BlobUse } from '../../../records/record-store.ts'
import type { BlobFiles } from '../../blob-files.ts'
import type { Handle } from '../engine/database.ts'

const ROWS_PER_TURN = 500

interface ReferenceRow {
  path: string
  sha256: string
  awaited_until: number | null
}

/** Reference counts of blobs. When the last reference is deleted, so is the blob. */
export class BlobReferences {
  readonly #writer: Handle
  readonly #files: BlobFiles

  constructor(writer: Handle, files: BlobFiles) {
    this.#writer = writer
    this.#files = files
  }

  has(feed: number): boolean {
    return this.#writer.get('select 1 from blob_reference where feed = ? limit 1', feed) !== undefined
  }

  /** Whether all blobs are stored, each with the size that the record says. */
  areStored(subjectId: string, uses: readonly BlobUse[]): boolean {
    const sql = 'select size_bytes from blob where subject_id = ? and sha256 = ?'
    return uses.every(({ sha256, sizeBytes }) => {
      const row = this.#writer.get<{ size_bytes: number }>(sql, subjectId, sha256)
      return row !== undefined && (sizeBytes === undefined || row.size_bytes === sizeBytes)
    })
  }

  /** Replaces a record's references, in its write transaction. Adds blobs that it no longer uses to `lost`. */
  refer(
    subjectId: string,
    { feed, key }: { feed: number; key: string },
    uses: readonly BlobUse[],
    lost: Set<string>,
  ): void {
    const used = new Set(uses.map(({ sha256 }) => sha256))
    const isUsed = ({ path, sha256 }: ReferenceRow) => uses.some((use) => use.path === path && use.sha256 === sha256)
    const sql = 'select path, sha256, awaited_until from blob_reference where feed = ? and key = ?'
    for (const row of this.#writer.all<ReferenceRow>(sql, feed, key)) {
      // A blob that was sent for a later version of the record keeps waiting for it.
      if (isUsed(row) || (row.awaited_until !== null && !used.has(row.sha256))) continue
      const remove = 'delete from blob_reference where feed = ? and key = ? and path = ? and sha256 = ?'
      this.#writer.run(remove, feed, key, row.path, row.sha256)
      lost.add(row.sha256)
    }
    for (const use of uses)
      this.#writer.run(
        `insert into blob_reference (feed, key, path, sha256, subject_id, field) values (?, ?, ?, ?, ?, ?)
          on conflict do update set awaited_until = null, field = excluded.field where awaited_until is not null`,
        feed,
        key,
        use.path,
        use.sha256,
        subjectId,
        use.field,
      )
  }

  /** Deletes all references of a record, used or awaited. Call in the transaction that deletes the record. */
  forget({ feed, key }: { feed: number; key: string }, lost: Set<string>): void {
    const sql = 'select sha256 from blob_reference where feed = ? and key = ?'
    for (const sha256 of this.#writer.column<string>(sql, feed, key)) lost.add(sha256)
    this.#writer.run('delete from blob_reference where feed = ? and key = ?', feed, key)
  }

  /** Deletes a slice of an erased feed's references. Returns false if none were left. */
  drain(feed: number, subjectId: string): boolean {
    const sql = `delete from blob_reference where (feed, key, path, sha256) in
      (select feed, key, path, sha256 from blob_reference where feed = ? limit ${ROWS_PER_TURN}) returning sha256`
    const deleted = this.#writer.column<string>(sql, feed)
    this.release(subjectId, deleted)
    return deleted.length > 0
  }

  /**
   * Deletes the blobs without references. Call outside of a transaction. Row and file go in one turn of the event loop,
   * so an upload of the same bytes happens before or after both. A file without a row is deleted at the next start.
   */
  release(subjectId: string, lost: Iterable<string>): void {
    const sql = `delete from blob where subject_id = @subjectId and sha256 = @sha256 and not exists
      (select 1 from blob_reference where subject_id = @subjectId and sha256 = @sha256)`
    for (const sha256 of new Set(lost)) {
      if (this.#writer.run(sql, { subjectId, sha256 }) === 0) continue
      if (!this.#writer.get('select 1 from blob where sha256 = ? limit 1', sha256)) this.#files.remove(sha256)
    }
  }
}
