import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceDeclaration } from '@pdpp/protocol'
import Database from 'better-sqlite3'
import { BLOB_FOLDER, blobPath } from '../../blob-files.ts'
import { exportedLine } from '../../rows/exported-line.ts'
import type { BlobEntry, ExportedConnection, ExportSource } from '../../storage-admin.ts'
import { MAIN_FILE } from '../installation/file-check.ts'
import { tableName } from '../records/stream-table.ts'

interface FeedRow {
  feed: number
  stream_no: number
  connection_id: string
  name: string
}

interface RecordRow {
  key: string
  emitted_at: number
  data: string
}

/** Reads through its own read-only connection in one transaction, so that later writes are invisible. */
export function openExportSource(directory: string, subjectId: string): ExportSource {
  const db = new Database(join(directory, MAIN_FILE), { readonly: true, fileMustExist: true, timeout: 5000 })
  db.exec('begin')
  const all = <T>(sql: string) => db.prepare(sql).all(subjectId) as T[]
  const feeds =
    all<FeedRow>(`select f.feed, f.stream_no, f.connection_id, s.name from feed f join stream s using (stream_no)
    where f.subject_id = ? and f.erased = 0 order by f.connection_id, s.name`)
  const blobs = all<BlobEntry>(BLOBS)
  const fileOf = ({ sha256 }: BlobEntry) => join(directory, BLOB_FOLDER, blobPath(sha256))
  const present = blobs.filter((entry) => existsSync(fileOf(entry)))
  return {
    declarations: all<{ declaration: string }>(
      'select declaration from source where subject_id = ? order by connector_key',
    ).map(({ declaration }) => JSON.parse(declaration) as SourceDeclaration),
    connections: all<ExportedConnection>(
      'select connection_id, connector_key, display_name from connection where subject_id = ? order by connection_id',
    ),
    streams: feeds.map((feed) => ({
      connectionId: feed.connection_id,
      stream: feed.name,
      lines: () => linesOf(db, feed),
    })),
    blobs: present.map((entry) => ({ entry, bytes: () => createReadStream(fileOf(entry)) })),
    missingBlobs: blobs.length - present.length,
    close: async () => void db.close(),
  }
}

/** If several records refer to a blob, the first key is exported. */
const BLOBS = `select b.sha256, b.size_bytes, b.mime_type, f.connection_id, s.name stream, min(r.key) record_key,
    r.path json_path
  from blob b join blob_reference r using (subject_id, sha256) join feed f using (feed) join stream s using (stream_no)
  where b.subject_id = ? and f.erased = 0 and r.awaited_until is null group by b.sha256 order by b.sha256`

function* linesOf(db: Database.Database, { feed, stream_no: streamNo }: FeedRow): Iterable<string> {
  const sql = `select key, emitted_at, data from ${tableName(streamNo)} where feed = ? order by id`
  for (const { key, emitted_at: at, data } of db.prepare(sql).iterate(feed) as Iterable<RecordRow>)
    yield exportedLine(key, at, data)
}
