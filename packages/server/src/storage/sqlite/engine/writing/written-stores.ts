import { join } from 'node:path'
import type { BlobFiles } from '../../../blob-files.ts'
import { SqliteArtifactStore } from '../../access/artifact-store.ts'
import { SqliteAuthorizationStore } from '../../access/authorization-store.ts'
import { SqliteClientStore } from '../../access/client-store.ts'
import { SqliteCredentialStore } from '../../access/credential-store.ts'
import { SqliteGrantStore } from '../../access/grant-store.ts'
import { SqlitePackageStore } from '../../access/package-store.ts'
import { SqliteSessionStore } from '../../access/session-store.ts'
import { SqliteTokenStore } from '../../access/token-store.ts'
import { SqliteWishStore } from '../../access/wish-store.ts'
import { BlobReferences } from '../../blobs/blob-references.ts'
import { SqliteBlobWriter } from '../../blobs/blob-writer.ts'
import { SqliteImportStore } from '../../imports/import-store.ts'
import { MAIN_FILE } from '../../installation/file-check.ts'
import { SqliteSettingStore } from '../../installation/setting-store.ts'
import { SqliteRecordWriter } from '../../records/record-writer.ts'
import { SqliteConnectionStore } from '../../sources/connection-store.ts'
import { SqliteSourceStore } from '../../sources/source-store.ts'
import { SqliteSyncStateStore } from '../../sources/sync-state-store.ts'
import { SqliteSubscriptionStore } from '../../subscriptions/subscription-store.ts'
import { Eraser } from '../../upkeep/eraser.ts'
import { SqliteUpkeepStore } from '../../upkeep/upkeep-store.ts'
import { WordMerger } from '../../words/merging/word-merger.ts'
import type { WriteDatabases } from '../database.ts'

/** Every store that writes to the main file. Each thread that may write has its own. */
export function createWrittenStores(databases: WriteDatabases, directory: string, files: BlobFiles) {
  const references = new BlobReferences(databases.writer, files)
  const merger = new WordMerger(databases.writer, join(directory, MAIN_FILE))
  const eraser = new Eraser(databases.writer, references, merger)
  return {
    records: new SqliteRecordWriter(databases, eraser, references, merger),
    blobs: new SqliteBlobWriter(databases, files, references),
    sources: new SqliteSourceStore(databases),
    connections: new SqliteConnectionStore(databases, eraser),
    grants: new SqliteGrantStore(databases),
    packages: new SqlitePackageStore(databases),
    tokens: new SqliteTokenStore(databases),
    wishes: new SqliteWishStore(databases),
    clients: new SqliteClientStore(databases),
    artifacts: new SqliteArtifactStore(databases),
    authorizations: new SqliteAuthorizationStore(databases),
    syncState: new SqliteSyncStateStore(databases),
    credentials: new SqliteCredentialStore(databases),
    sessions: new SqliteSessionStore(databases),
    upkeep: new SqliteUpkeepStore(databases, directory, merger),
    imports: new SqliteImportStore(databases, references, eraser),
    subscriptions: new SqliteSubscriptionStore(databases),
    settings: new SqliteSettingStore(databases),
    words: merger,
  }
}

export type WrittenStores = ReturnType<typeof createWrittenStores>
export type StoreName = keyof WrittenStores

type Method<Store> = {
  [Name in keyof Store]: Store[Name] extends (...values: never[]) => Promise<unknown> ? Name : never
}[keyof Store]

type MethodLists = { readonly [Name in StoreName]?: readonly Method<WrittenStores[Name]>[] }

/** The methods that write something small. A person or a client waits for most of them, so they go first. */
const SHORT = {
  blobs: ['keep'],
  connections: ['create', 'rename'],
  grants: ['create', 'revoke', 'consume', 'expire', 'pause', 'resume', 'replace', 'widen'],
  packages: ['create', 'revoke', 'pause', 'resume'],
  tokens: ['create', 'revoke', 'ownerReference'],
  wishes: ['count', 'decide', 'remove'],
  clients: ['save', 'touch', 'removeUnused'],
  artifacts: ['put', 'consume', 'remove', 'removeByAuthorization', 'sweep'],
  authorizations: ['create', 'createRefreshToken', 'rotate', 'revoke', 'revokeByClient', 'sweep'],
  syncState: ['merge'],
  credentials: ['savePasswordHash', 'createLink', 'findLink', 'takeLink', 'removeLinks'],
  sessions: ['create', 'touch', 'remove', 'removeAll', 'sweep'],
  imports: ['create', 'change', 'addProblems', 'clearProblems', 'forgetProblems'],
  subscriptions: [
    ...([
      'create',
      'replace',
      'remove',
      'follow',
      'restart',
      'end',
      'moveBookmarks',
      'addEvent',
      'dropEvents',
    ] as const),
    ...(['takeEvents', 'acknowledge', 'dropUnread', 'beginDelivery', 'delayDelivery', 'removeEvent'] as const),
    ...(['hasten', 'logDelivery'] as const),
  ],
  settings: ['secret', 'saveSetting', 'saveLastReceipts'],
  words: ['rest', 'wake'],
} as const satisfies MethodLists

/** The methods whose work grows with the records. Each does it in slices, so that short ones come in between. */
const LONG = {
  records: ['write', 'writeLines', 'noteSync', 'wipe', 'erase', 'resume'],
  blobs: ['removeUnreferenced', 'sweep'],
  sources: ['declare'],
  connections: ['remove'],
  imports: ['remove', 'undo', 'removeUnused', 'prune'],
  upkeep: ['rebuildIndexes'],
} as const satisfies MethodLists

const listOf = (lists: MethodLists, store: StoreName): readonly string[] => lists[store] ?? []

export const writesOf = (store: StoreName): readonly string[] => [...listOf(SHORT, store), ...listOf(LONG, store)]
export const isLong = (store: StoreName, method: string): boolean => listOf(LONG, store).includes(method)
