import type { BlobStore, BlobTarget, BlobUpload, ReferredBlob, StoredBlob } from '../../../blobs/blob-store.ts'
import type { ReadScope } from '../../../grants/read-scope.ts'
import { fileStream, type OpenBytes } from '../../../lib/file-stream.ts'
import { type BlobRow, blobFromRow } from '../../rows/blob-row.ts'
import type { Database } from '../engine/database.ts'
import type { Owners } from '../installation/owners.ts'
import type { Streams } from '../records/feeds.ts'
import { type ListedRow, RecordRows } from '../records/record-rows.ts'
import { type BlobWriter, CHUNK_BYTES } from './blob-writer.ts'

const SWEEP_EVERY_MS = 3_600_000

export class PostgresBlobStore implements BlobStore {
  readonly #database: Database
  readonly #owners: Owners
  readonly #streams: Streams
  readonly #writer: BlobWriter
  #sweptAt = 0

  constructor(database: Database, owners: Owners, streams: Streams, writer: BlobWriter) {
    this.#database = database
    this.#owners = owners
    this.#streams = streams
    this.#writer = writer
  }

  async put(target: BlobTarget, upload: BlobUpload): Promise<StoredBlob> {
    const now = Date.now()
    if (now - this.#sweptAt > SWEEP_EVERY_MS) {
      this.#sweptAt = now
      await this.#writer.removeUnreferenced(now)
    }
    return this.#writer.put(target, upload)
  }

  async referring(scope: ReadScope, sha256: string): Promise<ReferredBlob[]> {
    const subject = await this.#owners.find(scope.subjectId)
    const found = subject === undefined ? undefined : await this.#streams.inScope(this.#database, subject, scope)
    if (subject === undefined || !found) return []
    const rows = new RecordRows(this.#database, scope, found)
    const { projection } = scope
    const visible = projection === 'all' ? '' : 'and b.field = any(?::text[])'
    const sql = `select distinct on (r.feed) ${rows.columns}, b.path, s.sha256, s.size_bytes, s.mime_type
      from blob_reference b
      join blob s on s.subject = b.subject and s.sha256 = b.sha256
      join record r on r.subject = b.subject and r.feed = b.feed and r.key = b.key
      where b.subject = ? and b.sha256 = ? and b.feed = any(?::bigint[]) and b.awaited_until is null ${visible}
        and ${rows.limits.sql} order by r.feed, r.key, b.path`
    const values = [
      subject,
      sha256,
      rows.feedList,
      ...(projection === 'all' ? [] : [projection]),
      ...rows.limits.values,
    ]
    const referring: ReferredBlob[] = []
    for (const row of await this.#database.all<ListedRow & BlobRow & { path: string }>(sql, ...values)) {
      const blob = blobFromRow(row)
      referring.push({
        record: await rows.toRecord(row),
        path: row.path,
        blob,
        open: async ({ from, to }, idleMs) => {
          const bytes = await this.#open(subject, blob)
          return bytes && fileStream(bytes, { from, to }, idleMs, () => {}).stream
        },
      })
    }
    return referring
  }

  async sweep(): Promise<void> {
    this.#sweptAt = Date.now()
    await this.#writer.sweep()
  }

  /** Reads piece by piece. If the blob is deleted meanwhile, the next piece is missing and the stream fails. */
  async #open(subject: number, { sha256, sizeBytes }: StoredBlob): Promise<OpenBytes | undefined> {
    const known = 'select 1 from blob_chunk where subject = ? and name = ? limit 1'
    if (sizeBytes > 0 && !(await this.#database.get(known, subject, sha256))) return
    const sql = 'select bytes from blob_chunk where subject = ? and name = ? and no = ?'
    return {
      read: async (buffer, offset, length, position) => {
        const no = Math.floor(position / CHUNK_BYTES)
        const [piece] = await this.#database.column<Buffer>(sql, subject, sha256, no)
        const from = position - no * CHUNK_BYTES
        return { bytesRead: piece ? piece.copy(buffer, offset, from, Math.min(piece.length, from + length)) : 0 }
      },
      close: async () => {},
    }
  }
}
