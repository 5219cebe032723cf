import { join } from 'node:path'
import { formatInstant, type SourceDeclaration } from '@pdpp/protocol'
import Database from 'better-sqlite3'
import { MAIN_FILE } from './database.ts'
import { tableName } from './layout.ts'

interface ExportedConnection {
  readonly connection_id: string
  readonly connector_key: string
  readonly display_name: string | null
}

interface ExportedStream {
  readonly connectionId: string
  readonly stream: string
  /** One line of NDJSON for each record, in the order of arrival, as ingest takes it. */
  lines(): Iterable<string>
}

/** Everything of one owner as it stood at one moment. */
export interface ExportSource {
  readonly declarations: readonly SourceDeclaration[]
  readonly connections: readonly ExportedConnection[]
  readonly streams: readonly ExportedStream[]
  close(): void
}

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

/** A connection of its own that cannot write, in one transaction: what is written meanwhile is not seen. */
export function openExportSource(directory: string, subjectId: string): ExportSource {
  const db = new Database(join(directory, MAIN_FILE), { readonly: true, fileMustExist: true, timeout: 5000 })
  db.exec('begin')
  const all = <T>(sql: string) => db.prepare(sql).all(subjectId) as T[]
  const feeds =
    all<FeedRow>(`select f.feed, f.stream_no, f.connection_id, s.name from feed f join stream s using (stream_no)
    where f.subject_id = ? and f.erased = 0 order by f.connection_id, s.name`)
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
    close: () => db.close(),
  }
}

function* linesOf(db: Database.Database, { feed, stream_no: streamNo }: FeedRow): Iterable<string> {
  const sql = `select key, emitted_at, data from ${tableName(streamNo)} where feed = ? order by id`
  // The record goes out as it is stored: long numbers keep every digit.
  for (const { key, emitted_at: at, data } of db.prepare(sql).iterate(feed) as Iterable<RecordRow>)
    yield `{"key":${JSON.stringify(key)},"emitted_at":"${formatInstant(at * 1000)}","data":${data}}\n`
}
