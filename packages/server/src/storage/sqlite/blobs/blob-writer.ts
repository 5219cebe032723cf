import { setImmediate as nextTurn } from 'node:timers/promises'
import { PdppError } from '@pdpp/protocol'
import type { BlobTarget, StoredBlob } from '../../../blobs/blob-store.ts'
import type { BlobFiles, ReceivedFile } from '../../blob-files.ts'
import { type BlobRow, blobFromRow } from '../../rows/blob-row.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'
import { requireTable } from '../records/feed-write.ts'
import { openFeed } from '../records/feeds.ts'
import type { BlobReferences } from './blob-references.ts'

/** How long a blob may wait for its record. */
const AWAITED_MS = 86_400_000
const FILES_PER_TURN = 1000

/**
 * Files, rows and references of blobs change in one turn of one thread, so that no other work sees a state in between.
 */
export class SqliteBlobWriter {
  readonly #writer: Handle
  readonly #files: BlobFiles
  readonly #references: BlobReferences

  constructor({ writer }: WriteDatabases, files: BlobFiles, references: BlobReferences) {
    this.#writer = writer
    this.#files = files
    this.#references = references
  }

  async keep(target: BlobTarget, received: ReceivedFile, mimeType: string | undefined): Promise<StoredBlob> {
    try {
      return this.#writer.transaction(() => {
        this.#files.keep(received)
        return this.#note(target, received, mimeType)
      })
    } catch (error) {
      const kept = this.#writer.get('select 1 from blob where sha256 = ? limit 1', received.sha256)
      if (!kept) this.#files.remove(received.sha256)
      throw error
    }
  }

  #note(
    { subjectId, key, path, ...feedTarget }: BlobTarget,
    { sha256, sizeBytes }: ReceivedFile,
    mimeType: string | undefined,
  ): StoredBlob {
    const { connectionId } = feedTarget
    // The upload may have taken long enough for the connection to be removed.
    if (
      !this.#writer.get('select 1 from connection where subject_id = ? and connection_id = ?', subjectId, connectionId)
    )
      throw new PdppError('connection_not_found', 'The connection has just been removed.', { param: 'connection_id' })
    const target = { subjectId, ...feedTarget }
    const { feed } = openFeed(this.#writer, target, requireTable(this.#writer, target))
    const now = Date.now()
    this.#writer.run(
      'insert into blob values (?, ?, ?, ?, ?) on conflict do nothing',
      subjectId,
      sha256,
      sizeBytes,
      mimeType ?? null,
      now,
    )
    this.#writer.run(
      `insert into blob_reference (feed, key, path, sha256, subject_id, field, awaited_until) values (?, ?, ?, ?, ?, '', ?)
        on conflict do update set awaited_until = excluded.awaited_until where awaited_until is not null`,
      feed,
      key,
      path,
      sha256,
      subjectId,
      now + AWAITED_MS,
    )
    const sql = 'select sha256, size_bytes, mime_type from blob where subject_id = ? and sha256 = ?'
    return blobFromRow(this.#writer.get<BlobRow>(sql, subjectId, sha256)!)
  }

  async sweep(): Promise<void> {
    await this.#files.clearIncoming()
    await this.removeUnreferenced(Date.now())
    let checked = 0
    for await (const sha256 of this.#files.all()) {
      if (!this.#writer.get('select 1 from blob where sha256 = ? limit 1', sha256)) this.#files.remove(sha256)
      if (++checked % FILES_PER_TURN === 0) await nextTurn()
    }
  }

  async removeUnreferenced(now: number): Promise<void> {
    this.#writer.run('delete from blob_reference where awaited_until < ?', now)
    const sql = `select subject_id, sha256 from blob b where not exists
      (select 1 from blob_reference r where r.subject_id = b.subject_id and r.sha256 = b.sha256)`
    for (const { subject_id: subjectId, sha256 } of this.#writer.all<{ subject_id: string; sha256: string }>(sql))
      this.#references.release(subjectId, [sha256])
  }
}
