import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  MAIN_FILE,
  prepareDataDirectory,
  RECEIPTS_FILE,
  type ServerConfig,
  type StorageAdmin,
} from '@pdpp/server/offline'
import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure } from '../terminal/failure.ts'

/** Fails if there is no data, because opening it would create an empty store. */
export async function requireData(admin: StorageAdmin, config: ServerConfig): Promise<void> {
  if (!(await admin.hasData())) throw noData(config)
  prepareDataDirectory(config.dataDir)
}

export function noData({ dataDir, databaseUrl }: ServerConfig): CommandFailure {
  return databaseUrl === undefined
    ? new CommandFailure(
        EXIT.notFound,
        `There is no data in ${dataDir}.`,
        'Name the data directory with --data-dir or PDPP_DATA_DIR. If this is the one, start the server first: `pdpp serve`.',
      )
    : new CommandFailure(EXIT.notFound, 'There is no data in the database.', 'Name it in PDPP_DATABASE_URL.')
}

/** True if a data directory has nothing of an installation yet. A database is never new: its administrator made it. */
export function isNewDirectory({ dataDir, databaseUrl }: ServerConfig): boolean {
  return databaseUrl === undefined && ![MAIN_FILE, RECEIPTS_FILE].some((name) => existsSync(join(dataDir, name)))
}
