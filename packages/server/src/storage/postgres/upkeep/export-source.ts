import type { SourceDeclaration } from '@pdpp/protocol'
import { exportedLine } from '../../rows/exported-line.ts'
import type { BlobEntry, ExportedConnection, ExportedStream, ExportSource } from '../../storage-admin.ts'
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'

/** Rows that are read at once. Large records are read one at a time, because several may not fit into memory. */
const ROWS_AT_ONCE = 500
const LARGE_BYTES = 65_536

interface FeedRow {
  feed: number
  connection_id: string
  name: string
}

interface RecordRow {
  id: number
  key: string
  emitted_at: number
  data: string | null
}

/** Reads one snapshot on its own connection, so that later writes are invisible. Closes the database at the end. */
export async function openExportSource(database: Database, subjectId: string): Promise<ExportSource> {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let finished: Promise<void> = Promise.resolve()
  const close = async () => {
    end()
    await finished.catch(() => {})
    await database.close()
  }
  try {
    const content = await new Promise<Omit<ExportSource, 'close'>>((resolve, reject) => {
      finished = database.snapshot(async (session) => {
        resolve(await readContent(session, subjectId))
        await ended
      })
      finished.catch(reject)
    })
    return { ...content, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function readContent(session: Session, subjectId: string): Promise<Omit<ExportSource, 'close'>> {
  const [subject = 0] = await session.column<number>('select subject from owner where subject_id = ?', subjectId)
  const declarations = 'select declaration from source where subject = ? order by connector_key'
  const connections =
    'select connection_id, connector_key, display_name from connection where subject = ? order by connection_id'
  const feeds = `select f.feed, f.connection_id, s.name from feed f join stream s using (subject, stream_no)
    where f.subject = ? and f.erased = 0 order by f.connection_id, s.name`
  const blobs = await session.all<BlobEntry & { is_present: boolean }>(BLOBS, subject)
  return {
    declarations: (await session.column<string>(declarations, subject)).map(
      (declaration) => JSON.parse(declaration) as SourceDeclaration,
    ),
    connections: await session.all<ExportedConnection>(connections, subject),
    streams: (await session.all<FeedRow>(feeds, subject)).map(
      ({ feed, connection_id: connectionId, name }): ExportedStream => ({
        ...{ connectionId, stream: name, lines: () => linesOf(session, subject, feed) },
      }),
    ),
    blobs: blobs
      .filter((blob) => blob.is_present)
      .map(({ is_present: _, ...entry }) => ({ entry, bytes: () => bytesOf(session, subject, entry.sha256) })),
    missingBlobs: blobs.filter((blob) => !blob.is_present).length,
  }
}

/** If several records refer to a blob, the first key is exported. */
const BLOBS = `select distinct on (b.sha256) b.sha256, b.size_bytes, b.mime_type, f.connection_id, s.name stream,
    r.key record_key, r.path json_path, b.size_bytes = 0 or exists
      (select 1 from blob_chunk c where c.subject = b.subject and c.name = b.sha256) is_present
  from blob b join blob_reference r using (subject, sha256) join feed f using (subject, feed)
  join stream s using (subject, stream_no)
  where b.subject = ? and f.erased = 0 and r.awaited_until is null order by b.sha256, r.key`

async function* linesOf(session: Session, subject: number, feed: number): AsyncGenerator<string> {
  const sql = `select id, key, emitted_at, case when octet_length(data) <= ${LARGE_BYTES} then data end "data"
    from record where subject = ? and feed = ? and id > ? order by id limit ${ROWS_AT_ONCE}`
  const large = 'select data from record where subject = ? and feed = ? and id = ?'
  for (let last = 0; ; ) {
    const rows = await session.all<RecordRow>(sql, subject, feed, last)
    for (const { id, key, emitted_at: at, data } of rows)
      yield exportedLine(key, at, data ?? (await session.column<string>(large, subject, feed, id))[0]!)
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)!.id
  }
}

async function* bytesOf(session: Session, subject: number, sha256: string): AsyncGenerator<Uint8Array> {
  const sql = 'select bytes from blob_chunk where subject = ? and name = ? and no = ?'
  for (let no = 0; ; no++) {
    const [piece] = await session.column<Uint8Array>(sql, subject, sha256, no)
    if (!piece) return
    yield piece
  }
}
