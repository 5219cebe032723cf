import type { Storage } from './contract.ts'
import type { LeaseOptions } from './postgres/installation/lease-options.ts'
import type { OpenOptions } from './sqlite/installation/open-options.ts'
import { openSqliteStorage } from './sqlite/storage.ts'
import { sqliteAdmin } from './sqlite/storage-admin.ts'
import type { StorageAdmin } from './storage-admin.ts'

export interface StorageOptions extends OpenOptions {
  /** For PostgreSQL: the lease that keeps other servers out. A data directory is locked by the caller. */
  readonly lease?: LeaseOptions | undefined
}

/** The location of the data: a PostgreSQL database if a URL is given, the data directory otherwise. */
export interface StorageLocation {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  readonly preparesStatements?: boolean | undefined
}

/** Opens the store of an installation: a PostgreSQL database if one is named, the data directory otherwise. */
export async function openStorage(location: StorageLocation, options: StorageOptions = {}): Promise<Storage> {
  const { dataDir, databaseUrl: url, preparesStatements: prepares } = location
  if (url === undefined) return openSqliteStorage(dataDir, options)
  // Loaded only if it is used.
  const { openPostgresStorage } = await import('./postgres/storage.ts')
  return openPostgresStorage({ url, prepares, lease: options.lease })
}

/** Opens the same store for work on all of it. */
export async function openAdmin(location: StorageLocation): Promise<StorageAdmin> {
  const { dataDir, databaseUrl: url, preparesStatements: prepares } = location
  if (url === undefined) return sqliteAdmin(dataDir)
  const { postgresAdmin } = await import('./postgres/storage-admin.ts')
  return postgresAdmin({ url, prepares })
}
