/** Everything the CLI needs to work on a data directory without a running server. Imports no routes, to start fast. */
export { type ConfigOverrides, readConfig, type ServerConfig } from './config/config.ts'
export { lockDataDirectory, prepareDataDirectory, runningServer } from './data-directory/data-directory.ts'
export { StartupError } from './lib/startup-error.ts'
export { OWNER } from './owner.ts'
export { SessionService } from './sign-in/session-service.ts'
export { SignInService } from './sign-in/sign-in-service.ts'
export { BLOB_FOLDER, blobPath } from './storage/blob-files.ts'
export { openAdmin, openStorage } from './storage/open.ts'
export {
  type FileProblem,
  findFileProblem,
  MAIN_FILE,
  RECEIPTS_FILE,
} from './storage/sqlite/installation/file-check.ts'
export { inspectBlobs, inspectChain, inspectPages } from './storage/sqlite/installation/inspection.ts'
export { openSqliteStorage } from './storage/sqlite/storage.ts'
export {
  checkSnapshot,
  openSnapshot,
  SNAPSHOT_FILES,
  type Snapshot,
  spoolFile,
} from './storage/sqlite/upkeep/snapshot.ts'
export type { ExportSource, StorageAdmin } from './storage/storage-admin.ts'
export { TokenService } from './tokens/token-service.ts'
