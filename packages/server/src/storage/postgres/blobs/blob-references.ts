import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'

const ROWS_AT_ONCE = 500

/** Reference counts of blobs. When the last reference is deleted, so is the blob. */
export class BlobReferences {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Deletes a slice of an erased feed's references. Returns false if none were left. */
  drain(subject: number, feed: number): Promise<boolean> {
    const sql = `delete from blob_reference where subject = @subject and feed = @feed and (key, path, sha256) in
      (select key, path, sha256 from blob_reference where subject = @subject and feed = @feed limit ${ROWS_AT_ONCE})
      returning sha256`
    return this.#database.quiet(async (session) => {
      const lost = await session.column<string>(sql, { subject, feed })
      await releaseBlobs(session, subject, new Set(lost))
      return lost.length > 0
    })
  }
}

/**
 * Deletes the blobs without references. Locks their rows first: another transaction that refers to one of them either
 * commits before the references are read, or does not find the blob.
 */
export async function releaseBlobs(session: Session, subject: number, lost: ReadonlySet<string>): Promise<void> {
  if (lost.size === 0) return
  const list = [...lost].sort()
  const lock = 'select sha256 from blob where subject = ? and sha256 = any(?::text[]) order by sha256 for update'
  await session.run(lock, subject, list)
  const sql = `delete from blob b where b.subject = ? and b.sha256 = any(?::text[]) and not exists
    (select 1 from blob_reference r where r.subject = b.subject and r.sha256 = b.sha256) returning b.sha256`
  const removed = await session.column<string>(sql, subject, list)
  if (removed.length > 0)
    await session.run('delete from blob_chunk where subject = ? and name = any(?::text[])', subject, removed)
}
