import type { BlobStore, BlobTarget, BlobUpload, ReferredBlob, StoredBlob } from '../../../blobs/blob-store.ts'
import type { ReadScope } from '../../../grants/read-scope.ts'
import type { BlobFiles } from '../../blob-files.ts'
import { joinConditions } from '../../records/conditions.ts'
import { type BlobRow, blobFromRow } from '../../rows/blob-row.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'
import { feedsInScope, streamTable } from '../records/feeds.ts'
import { type RecordRow, RecordRows } from '../records/record-rows.ts'
import { recordConditions } from '../records/scope-sql.ts'
import { keyIndex } from '../records/stream-table.ts'
import type { SqliteBlobWriter } from './blob-writer.ts'

const SWEEP_EVERY_MS = 3_600_000

type BlobWriter = Pick<SqliteBlobWriter, 'keep' | 'removeUnreferenced' | 'sweep'>

/** Receives and sends the bytes of blobs. The blob writer stores their rows, maybe in another thread. */
export class SqliteBlobStore implements BlobStore {
  readonly #reader: Handle
  readonly #files: BlobFiles
  readonly #writer: BlobWriter
  #sweptAt = 0

  constructor({ reader }: Pick<WriteDatabases, 'reader'>, files: BlobFiles, writer: BlobWriter) {
    this.#reader = reader
    this.#files = files
    this.#writer = writer
  }

  async put(target: BlobTarget, upload: BlobUpload): Promise<StoredBlob> {
    const now = Date.now()
    if (now - this.#sweptAt > SWEEP_EVERY_MS) {
      this.#sweptAt = now
      await this.#writer.removeUnreferenced(now)
    }
    const received = await this.#files.receive(upload)
    try {
      return await this.#writer.keep(target, received, upload.mimeType)
    } catch (error) {
      this.#files.drop(received)
      throw error
    }
  }

  async referring(scope: ReadScope, sha256: string): Promise<ReferredBlob[]> {
    const table = streamTable(this.#reader, scope.subjectId, scope.connectorKey, scope.stream.name)
    if (!table) return []
    const rows = new RecordRows(this.#reader, scope, table, feedsInScope(this.#reader, scope, table))
    const limits = joinConditions(recordConditions(scope, table.layout))
    const visible = scope.projection === 'all' ? '' : 'and b.field in (select value from json_each(@fields))'
    const sql = `select ${rows.columns}, b.path, s.sha256, s.size_bytes, s.mime_type
      from blob_reference b
      join blob s on s.subject_id = b.subject_id and s.sha256 = b.sha256
      join ${table.table} r indexed by ${keyIndex(table.table)} on r.feed = b.feed and r.key = b.key
      where b.subject_id = @subjectId and b.sha256 = @sha256 and b.feed = @feed and b.awaited_until is null ${visible}
        and ${limits.sql} limit 1`
    const fields = scope.projection === 'all' ? {} : { fields: JSON.stringify(scope.projection) }
    return rows.feeds.flatMap(({ feed }) => {
      const named = { subjectId: scope.subjectId, sha256, feed, ...fields }
      const found = this.#reader.get<RecordRow & BlobRow & { path: string }>(sql, named, ...limits.values)
      if (!found) return []
      const blob = blobFromRow(found)
      return {
        record: rows.toRecord(found),
        path: found.path,
        blob,
        open: (range, idleMs) => this.#files.read(blob.sha256, range, idleMs),
      }
    })
  }

  async sweep(): Promise<void> {
    this.#sweptAt = Date.now()
    await this.#writer.sweep()
  }
}
