import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { BLOB_FOLDER, BlobFiles } from '../blob-files.ts'
import type { Storage } from '../contract.ts'
import { SqliteArtifactStore } from './access/artifact-store.ts'
import { SqliteAuthorizationStore } from './access/authorization-store.ts'
import { SqliteClientStore } from './access/client-store.ts'
import { SqliteCredentialStore } from './access/credential-store.ts'
import { SqliteGrantStore } from './access/grant-store.ts'
import { SqlitePackageStore } from './access/package-store.ts'
import { SqliteSessionStore } from './access/session-store.ts'
import { SqliteTokenStore } from './access/token-store.ts'
import { SqliteAggregateReader } from './aggregates/aggregate-reader.ts'
import { BlobReferences } from './blobs/blob-references.ts'
import { SqliteBlobStore } from './blobs/blob-store.ts'
import { openDatabases } from './engine/database.ts'
import { faultOf } from './engine/fault.ts'
import { MAX_INLINE_ROWS } from './engine/read-task.ts'
import { SqliteImportStore } from './imports/import-store.ts'
import { MAIN_FILE } from './installation/belonging.ts'
import type { OpenOptions } from './installation/open-options.ts'
import { SqliteReceiptStore } from './receipts/receipt-store.ts'
import { LastChanges } from './records/last-change.ts'
import { SqliteRecordReader } from './records/record-reader.ts'
import { SqliteRecordWriter } from './records/record-writer.ts'
import { SqliteConnectionStore } from './sources/connection-store.ts'
import { SqliteSourceStore } from './sources/source-store.ts'
import { SqliteSyncStateStore } from './sources/sync-state-store.ts'
import { SqliteSubscriptionStore } from './subscriptions/subscription-store.ts'
import { Eraser } from './upkeep/eraser.ts'
import { purge } from './upkeep/purge.ts'
import { removeLeftSnapshots } from './upkeep/snapshot.ts'
import { SqliteUpkeepStore } from './upkeep/upkeep-store.ts'
import { SqliteSearchReader } from './words/search-reader.ts'
import { WordMerger } from './words/word-merger.ts'

/** The embedded store: two SQLite files and a folder of blobs in one directory. */
export function openSqliteStorage(directory: string, options: OpenOptions = {}): Storage {
  const databases = openDatabases(directory, options)
  const { writer } = databases
  const files = new BlobFiles(join(directory, BLOB_FOLDER))
  const references = new BlobReferences(writer, files)
  const merger = new WordMerger(writer, join(directory, MAIN_FILE))
  const eraser = new Eraser(writer, references, merger)
  const lastChanges = new LastChanges(databases.pool)
  const receipts = new SqliteReceiptStore(databases)
  return {
    fault: faultOf,
    records: new SqliteRecordReader(databases, lastChanges),
    aggregates: new SqliteAggregateReader(databases),
    search: new SqliteSearchReader(databases, lastChanges),
    writer: new SqliteRecordWriter(databases, eraser, references, merger),
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
    syncState: new SqliteSyncStateStore(databases),
    credentials: new SqliteCredentialStore(databases),
    sessions: new SqliteSessionStore(databases),
    upkeep: new SqliteUpkeepStore(databases, directory, merger),
    imports: new SqliteImportStore(databases, references, eraser),
    subscriptions: new SqliteSubscriptionStore(databases),
    onWrite: (listener) => databases.onWrite(listener),
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
    close: async () => {
      receipts.close()
      await merger.close()
      await databases.close()
    },
  }
}
