import { PdppError } from '@pdpp/protocol'
import type { StorageAdmin } from '@pdpp/server/offline'

/** Fails if the database's own tools must make the backup instead of this program. */
export function requireOwnBackups({ backups }: StorageAdmin): void {
  if (backups === 'database')
    throw new PdppError('backup_by_database', 'The data is in PostgreSQL, so the tools of PostgreSQL back it up.')
}
