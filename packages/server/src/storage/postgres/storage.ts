import { type ExampleWords, NO_EXAMPLES, type Storage } from '../contract.ts'
import { PostgresArtifactStore } from './access/artifact-store.ts'
import { PostgresAuthorizationStore } from './access/authorization-store.ts'
import { PostgresClientStore } from './access/client-store.ts'
import { PostgresCredentialStore } from './access/credential-store.ts'
import { GrantBodies, PostgresGrantStore } from './access/grant-store.ts'
import { PostgresPackageStore } from './access/package-store.ts'
import { PostgresSessionStore } from './access/session-store.ts'
import { PostgresTokenStore } from './access/token-store.ts'
import { PostgresWishStore } from './access/wish-store.ts'
import { PostgresAggregateReader } from './aggregates/aggregate-reader.ts'
import { BlobReferences } from './blobs/blob-references.ts'
import { PostgresBlobStore } from './blobs/blob-store.ts'
import { BlobWriter } from './blobs/blob-writer.ts'
import { Database, type DatabaseOptions } from './engine/database.ts'
import { faultOf } from './engine/fault.ts'
import { migrate } from './engine/migrate.ts'
import { ReadPool } from './engine/read-pool.ts'
import { PostgresImportStore } from './imports/import-store.ts'
import { Lease } from './installation/lease.ts'
import type { LeaseOptions } from './installation/lease-options.ts'
import { Owners } from './installation/owners.ts'
import { checkPrepared, checkServer, checkTables } from './installation/server-check.ts'
import { PostgresSettingStore } from './installation/setting-store.ts'
import { PostgresReceiptStore } from './receipts/receipt-store.ts'
import { Streams } from './records/feeds.ts'
import { PostgresRecordReader } from './records/record-reader.ts'
import { PostgresRecordWriter } from './records/record-writer.ts'
import { PostgresConnectionStore } from './sources/connection-store.ts'
import { Declarations } from './sources/declaration-reader.ts'
import { PostgresSourceStore } from './sources/source-store.ts'
import { PostgresSyncStateStore } from './sources/sync-state-store.ts'
import { PostgresSubscriptionStore } from './subscriptions/subscription-store.ts'
import { Eraser } from './upkeep/eraser.ts'
import { PostgresUpkeepStore } from './upkeep/upkeep-store.ts'
import { EditionBuilder } from './words/edition-builder.ts'
import { endLeases, WordMerger } from './words/merging/word-merger.ts'
import { MAX_INLINE, PostgresSearchReader } from './words/search-reader.ts'
import { LISTED } from './words/segment-rows.ts'

export interface PostgresOptions extends DatabaseOptions {
  /** Left out by commands that write a token or a link next to a running server. */
  readonly lease?: LeaseOptions | undefined
}

/** A store in a PostgreSQL database. Only the process that holds the lease does work that must not be done twice. */
export async function openPostgresStorage({ lease: wanted, ...options }: PostgresOptions): Promise<Storage> {
  const database = new Database(options)
  let lease: Lease | undefined
  try {
    await checkServer(database)
    if (wanted && options.prepares !== false) await checkPrepared(database)
    lease = wanted && (await Lease.take(options, wanted))
    if (lease) database.guard(() => lease!.check())
    await migrate(database)
    await checkTables(database)
    if (lease) await endLeases(database)
  } catch (error) {
    await lease?.release()
    await database.close()
    throw error
  }
  return createStores(database, lease)
}

function createStores(database: Database, lease: Lease | undefined): Storage {
  const owners = new Owners(database)
  const streams = new Streams(new Declarations())
  const bodies = new GrantBodies()
  const merger = new WordMerger(database)
  const pool = new ReadPool(database.options)
  const builder = new EditionBuilder(database, streams.building)
  const eraser = new Eraser(database, new BlobReferences(database), merger)
  const receipts = new PostgresReceiptStore(database, owners, streams)
  const settings = new PostgresSettingStore(database, owners)
  return {
    fault: faultOf,
    records: new PostgresRecordReader(database, owners, streams, pool),
    aggregates: new PostgresAggregateReader(database, owners, streams, pool),
    search: new PostgresSearchReader(database, owners, streams, pool),
    writer: new PostgresRecordWriter({ database, owners, streams, eraser, builder, merger }),
    blobs: new PostgresBlobStore(database, owners, streams, new BlobWriter(database, owners, streams)),
    sources: new PostgresSourceStore(database, owners, streams.declarations, builder),
    connections: new PostgresConnectionStore(database, owners, eraser),
    grants: new PostgresGrantStore(database, owners, bodies),
    packages: new PostgresPackageStore(database, owners, bodies),
    wishes: new PostgresWishStore(database, owners),
    tokens: new PostgresTokenStore(database, owners, bodies),
    clients: new PostgresClientStore(database),
    artifacts: new PostgresArtifactStore(database),
    authorizations: new PostgresAuthorizationStore(database, owners),
    receipts,
    syncState: new PostgresSyncStateStore(database, owners),
    credentials: new PostgresCredentialStore(database, owners),
    sessions: new PostgresSessionStore(database, owners),
    upkeep: new PostgresUpkeepStore(database, owners, builder, merger),
    imports: new PostgresImportStore(database, owners, streams, eraser),
    subscriptions: new PostgresSubscriptionStore(database, owners),
    onWrite: (listener) => database.onWrite(listener),
    secret: (name) => settings.secret(name),
    setting: (subjectId, name) => settings.setting(subjectId, name),
    saveSetting: (subjectId, name, value) => settings.saveSetting(subjectId, name, value),
    readLoad: () => pool.load,
    makeReady: () => loadIfLarge(database, pool),
    // Deleted rows are gone from the tables. Their bytes disappear when PostgreSQL vacuums, and copies elsewhere
    // remain.
    purge: async () => 'tables',
    close: async () => {
      await receipts.close()
      await pool.close()
      await merger.close()
      await streams.building.close()
      await database.close()
      await lease?.release()
    },
  }
}

async function loadIfLarge(database: Database, pool: ReadPool): Promise<ExampleWords> {
  const sql = `select 1 from word_segment where state = ${LISTED} group by subject having sum(documents) > ? limit 1`
  if (!(await database.get(sql, MAX_INLINE.documents))) return NO_EXAMPLES
  pool.keepThreads()
  return pool.loadIndex()
}
