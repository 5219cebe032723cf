import type { AggregateReader } from '../aggregates/aggregate-store.ts'
import type { ArtifactStore } from '../authorization/stores/artifact-store.ts'
import type { AuthorizationStore } from '../authorization/stores/authorization-store.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { ClientStore } from '../clients/client-store.ts'
import type { GrantStore } from '../grants/grant-store.ts'
import type { PackageStore } from '../grants/packages/package-store.ts'
import type { WishStore } from '../grants/wishes/wish-store.ts'
import type { ImportStore } from '../imports/import-store.ts'
import type { SecretStore, SettingStore } from '../lib/setting-store.ts'
import type { FaultReader } from '../lib/store-fault.ts'
import type { ReceiptStore } from '../receipts/receipt-store.ts'
import type { RecordReader, RecordWriter } from '../records/record-store.ts'
import type { SearchReader } from '../search/search-store.ts'
import type { CredentialStore } from '../sign-in/credential-store.ts'
import type { SessionStore } from '../sign-in/session-store.ts'
import type { ConnectionStore } from '../sources/connections/connection-store.ts'
import type { SyncStateStore } from '../sources/connections/sync-state-store.ts'
import type { SourceStore } from '../sources/declarations/source-store.ts'
import type { SubscriptionStore } from '../subscriptions/subscription-store.ts'
import type { TokenStore } from '../tokens/token-store.ts'
import type { PurgeReach } from '../upkeep/erasure-service.ts'
import type { UpkeepStore } from '../upkeep/upkeep-store.ts'

/** Some words of the index. None if no search needs to be tried. */
export interface ExampleWords {
  readonly common: readonly string[]
  readonly rare: readonly string[]
}

export const NO_EXAMPLES: ExampleWords = { common: [], rare: [] }

/**
 * The interface that every store implements. Each implementation passes the tests of contract.cases.ts.
 * Reads and writes are different objects, so that the read path has a connection that cannot write.
 */
export interface Storage extends SettingStore, SecretStore, FaultReader {
  /** Every read takes a ReadScope. */
  readonly records: RecordReader
  readonly aggregates: AggregateReader
  readonly search: SearchReader
  readonly writer: RecordWriter
  readonly blobs: BlobStore
  readonly sources: SourceStore
  readonly connections: ConnectionStore
  readonly grants: GrantStore
  readonly packages: PackageStore
  readonly tokens: TokenStore
  readonly wishes: WishStore
  readonly clients: ClientStore
  readonly artifacts: ArtifactStore
  readonly authorizations: AuthorizationStore
  readonly receipts: ReceiptStore
  readonly syncState: SyncStateStore
  readonly credentials: CredentialStore
  readonly sessions: SessionStore
  readonly upkeep: UpkeepStore
  readonly imports: ImportStore
  readonly subscriptions: SubscriptionStore
  /** Calls the listener when this process writes, except subscriptions and receipts. The write may be uncommitted. */
  onWrite(listener: () => void): void
  /** Counts the long reads that run in reader threads, wait for one, or ended without an answer. */
  readLoad(): ReadLoad
  /**
   * Starts the reader threads ahead of time if the store is large. Call in a long-running server. Resolves when a
   * thread has read the word index. The result are some indexed words, with which searches can be tried.
   */
  makeReady(): Promise<ExampleWords>
  /**
   * Removes the remains of deleted data. Returns `files` if nothing of the data can be recovered afterwards. Returns
   * `tables` if the data is gone from everything that is read, but copies remain that this program does not control.
   */
  purge(): Promise<PurgeReach>
  close(): Promise<void>
}

export interface ReadLoad {
  readonly running: number
  readonly waiting: number
  /** Reads that ended without an answer since the start: the client disconnected, or the time was over. */
  readonly givenUp: number
}
