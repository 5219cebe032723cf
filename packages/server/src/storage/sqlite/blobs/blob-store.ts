import { setImmediate as nextTurn } from 'node:timers/promises'
import { PdppError } from '@pdpp/protocol'
import type { BlobStore, BlobTarget, BlobUpload, ReferredBlob, StoredBlob } from '../../../blobs/blob-store.ts'
import type { ReadScope } from '../../../grants/read-scope.ts'
import type { BlobFiles } from '../../blob-files.ts'
import type { Databases, Handle } from '../engine/database.ts'
import { requireTable } from '../records/feed-write.ts'
import { feedsInScope, openFeed, streamTable } from '../records/feeds.ts'
import { keyIndex } from '../records/layout.ts'
import { type RecordRow, RecordRows } from '../records/record-rows.ts'
import { joinConditions, recordConditions } from '../records/scope-sql.ts'
import type { BlobReferences } from './blob-references.ts'

/** How long a blob may wait for its record. */
const AWAITED_MS = 86_400_000
const SWEEP_EVERY_MS = 3_600_000
const FILES_PER_TURN = 1000

interface BlobRow {
  sha256: string
  size_bytes: number
  mime_type: string | null
}

export class SqliteBlobStore implements BlobStore {
  readonly #writer: Handle
  readonly #reader: Handle
  readonly #files: BlobFiles
  readonly #references: BlobReferences
  #sweptAt = 0

  constructor({ writer, reader }: Databases, files: BlobFiles, references: BlobReferences) {
    this.#writer = writer
    this.#reader = reader
    this.#files = files
    this.#references = references
  }

  async put(target: BlobTarget, upload: BlobUpload): Promise<StoredBlob> {
    const now = Date.now()
    if (now - this.#sweptAt > SWEEP_EVERY_MS) this.#removeUnreferenced(now)
    const received = await this.#files.receive(upload)
    try {
      // Written in one turn of the event loop, so that nothing can remove file, row or reference in between.
      return this.#writer.transaction(() => {
        received.keep()
        return this.#note(target, received, upload.mimeType)
      })
    } catch (error) {
      received.drop()
      const kept = this.#writer.get('select 1 from blob where sha256 = ? limit 1', received.sha256)
      if (!kept) this.#files.remove(received.sha256)
      throw error
    }
  }

  #note(
    { subjectId, key, path, ...feedTarget }: BlobTarget,
    { sha256, sizeBytes }: { sha256: string; sizeBytes: number },
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
    return fromRow(this.#writer.get<BlobRow>(sql, subjectId, sha256)!)
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
      const blob = fromRow(found)
      return {
        record: rows.toRecord(found),
        path: found.path,
        blob,
        open: (range, idleMs) => this.#files.read(blob.sha256, range, idleMs),
      }
    })
  }

  async sweep(): Promise<void> {
    await this.#files.clearIncoming()
    this.#removeUnreferenced(Date.now())
    let checked = 0
    for await (const sha256 of this.#files.all()) {
      if (!this.#writer.get('select 1 from blob where sha256 = ? limit 1', sha256)) this.#files.remove(sha256)
      if (++checked % FILES_PER_TURN === 0) await nextTurn()
    }
  }

  #removeUnreferenced(now: number): void {
    this.#sweptAt = now
    this.#writer.run('delete from blob_reference where awaited_until < ?', now)
    const sql = `select subject_id, sha256 from blob b where not exists
      (select 1 from blob_reference r where r.subject_id = b.subject_id and r.sha256 = b.sha256)`
    for (const { subject_id: subjectId, sha256 } of this.#writer.all<{ subject_id: string; sha256: string }>(sql))
      this.#references.release(subjectId, [sha256])
  }
}

function fromRow(row: BlobRow): StoredBlob {
  return { sha256: row.sha256, sizeBytes: row.size_bytes, mimeType: row.mime_type ?? undefined }
}
