import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { BLOB_FOLDER, BlobFiles } from '../blob-files.ts'
import type { Storage } from '../contract.ts'
import { SqliteAggregateReader } from './aggregate-reader.ts'
import { SqliteArtifactStore } from './artifact-store.ts'
import { SqliteAuthorizationStore } from './authorization-store.ts'
import { MAIN_FILE } from './belonging.ts'
import { BlobReferences } from './blob-references.ts'
import { SqliteBlobStore } from './blob-store.ts'
import { SqliteClientStore } from './client-store.ts'
import { SqliteConnectionStore } from './connection-store.ts'
import { SqliteCredentialStore } from './credential-store.ts'
import { openDatabases } from './database.ts'
import { Eraser } from './eraser.ts'
import { SqliteGrantStore } from './grant-store.ts'
import { SqliteImportStore } from './import-store.ts'
import { LastChanges } from './last-change.ts'
import type { OpenOptions } from './open-options.ts'
import { SqlitePackageStore } from './package-store.ts'
import { purge } from './purge.ts'
import { MAX_INLINE_ROWS } from './read-task.ts'
import { SqliteReceiptStore } from './receipt-store.ts'
import { SqliteRecordReader } from './record-reader.ts'
import { SqliteRecordWriter } from './record-writer.ts'
import { SqliteSearchReader } from './search-reader.ts'
import { SqliteSessionStore } from './session-store.ts'
import { removeLeftSnapshots } from './snapshot.ts'
import { SqliteSourceStore } from './source-store.ts'
import { SqliteStateStore } from './state-store.ts'
import { SqliteTokenStore } from './token-store.ts'
import { SqliteUpkeepStore } from './upkeep-store.ts'

/** The embedded store: two SQLite files in a directory, and a folder of blobs. */
export function openSqliteStorage(directory: string, options: OpenOptions = {}): Storage {
  const databases = openDatabases(directory, options)
  const { writer } = databases
  const files = new BlobFiles(join(directory, BLOB_FOLDER))
  const references = new BlobReferences(writer, files)
  const eraser = new Eraser(writer, references)
  const lastChanges = new LastChanges(databases.pool)
  const receipts = new SqliteReceiptStore(databases)
  return {
    records: new SqliteRecordReader(databases, lastChanges),
    aggregates: new SqliteAggregateReader(databases),
    search: new SqliteSearchReader(databases, lastChanges),
    writer: new SqliteRecordWriter(databases, eraser, references),
    blobs: new SqliteBlobStore(databases, files, references),
    sources: new SqliteSourceStore(databases),
    connections: new SqliteConnectionStore(databases, eraser),
    grants: new SqliteGrantStore(databases),
    packages: new SqlitePackageStore(databases),
    tokens: new SqliteTokenStore(databases),
    clients: new SqliteClientStore(databases),
    artifacts: new SqliteArtifactStore(databases),
    authorizations: new SqliteAuthorizationStore(databases),
    receipts,
    state: new SqliteStateStore(databases),
    credentials: new SqliteCredentialStore(databases),
    sessions: new SqliteSessionStore(databases),
    upkeep: new SqliteUpkeepStore(databases, directory),
    imports: new SqliteImportStore(databases, references, eraser),
    secret: async (name) => {
      writer.run('insert into secret values (?, ?) on conflict do nothing', name, randomBytes(32))
      return writer.get<{ value: Uint8Array }>('select value from secret where name = ?', name)!.value
    },
    setting: async (subjectId, name) =>
      writer.get<{ value: string }>('select value from setting where subject_id = ? and name = ?', subjectId, name)
        ?.value,
    saveSetting: async (subjectId, name, value) => {
      if (value === undefined) writer.run('delete from setting where subject_id = ? and name = ?', subjectId, name)
      else
        writer.run(
          'insert into setting values (?, ?, ?) on conflict (subject_id, name) do update set value = excluded.value',
          subjectId,
          name,
          value,
        )
    },
    readLoad: () => databases.pool.load,
    makeReady: () => {
      if (writer.get('select 1 from feed where record_count > ? limit 1', MAX_INLINE_ROWS)) databases.pool.keepThreads()
    },
    purge: () => {
      removeLeftSnapshots(directory)
      return purge(join(directory, MAIN_FILE))
    },
    close: () => {
      receipts.close()
      return databases.close()
    },
  }
}
