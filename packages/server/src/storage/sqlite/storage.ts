import { join } from 'node:path'
import { BLOB_FOLDER, BlobFiles } from '../blob-files.ts'
import { NO_EXAMPLES, type Storage } from '../contract.ts'
import { SqliteAggregateReader } from './aggregates/aggregate-reader.ts'
import { SqliteBlobStore } from './blobs/blob-store.ts'
import { openDatabases } from './engine/database.ts'
import { faultOf } from './engine/fault.ts'
import { MAX_INLINE_ROWS } from './engine/read-task.ts'
import { WriteRouter } from './engine/writing/write-router.ts'
import { WriteThread } from './engine/writing/write-thread.ts'
import { createWrittenStores } from './engine/writing/written-stores.ts'
import { MAIN_FILE } from './installation/file-check.ts'
import type { OpenOptions } from './installation/open-options.ts'
import { SqliteReceiptStore } from './receipts/receipt-store.ts'
import { LastChanges } from './records/last-change.ts'
import { SqliteRecordReader } from './records/record-reader.ts'
import { purge } from './upkeep/purge.ts'
import { removeLeftSnapshots } from './upkeep/snapshot.ts'
import { SqliteSearchReader } from './words/search-reader.ts'
import { LISTED } from './words/segment-rows.ts'

/** The embedded store: two SQLite files and a folder of blobs in one directory. */
export function openSqliteStorage(directory: string, options: OpenOptions = {}): Storage {
  const databases = openDatabases(directory, options)
  const files = new BlobFiles(join(directory, BLOB_FOLDER))
  const own = createWrittenStores(databases, directory, files)
  const startThread = (ended: () => void) =>
    WriteThread.start(
      directory,
      {
        written: (written) => databases.noteWrite(written),
        removedBlob: (sha256) => files.endDownloads(sha256),
        ended,
      },
      options.writing?.connect,
    )
  const router = new WriteRouter(own, databases, startThread, options.writing)
  const { records, blobs, settings, subscriptions, words: _, ...stores } = router.routed()
  const lastChanges = new LastChanges(databases.pool)
  const receipts = new SqliteReceiptStore(databases, settings.saveLastReceipts)
  return {
    ...stores,
    fault: faultOf,
    records: new SqliteRecordReader(databases, lastChanges),
    aggregates: new SqliteAggregateReader(databases),
    search: new SqliteSearchReader(databases, lastChanges),
    writer: {
      ...records,
      get batchRows() {
        return router.batchRows
      },
    },
    blobs: new SqliteBlobStore(databases, files, blobs),
    receipts,
    subscriptions: {
      ...subscriptions,
      update: (subjectId, id, change) => own.subscriptions.update(subjectId, id, change, subscriptions.replace),
    },
    onWrite: (listener) => databases.onWrite(listener),
    secret: settings.secret,
    setting: settings.setting,
    saveSetting: settings.saveSetting,
    readLoad: () => databases.pool.load,
    makeReady: async () => {
      const sql = `select 1 where exists (select 1 from feed where record_count > @max)
        or (select total(documents) from word_segment where state = ${LISTED}) > @max`
      if (!databases.reader.get(sql, { max: MAX_INLINE_ROWS })) return NO_EXAMPLES
      databases.pool.keepThreads()
      receipts.makeReady()
      return databases.pool.loadIndex()
    },
    purge: async () => {
      removeLeftSnapshots(directory)
      await router.exclusive(() => purge(join(directory, MAIN_FILE)))
      return 'files'
    },
    close: async () => {
      await receipts.close()
      await router.close()
      await databases.close()
    },
  }
}
