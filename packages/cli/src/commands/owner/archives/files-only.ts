import type { ServerConfig } from '@pdpp/server/offline'
import { EXIT } from '../../../terminal/exit-codes.ts'
import { CommandFailure } from '../../../terminal/failure.ts'

/** Fails if the data is in PostgreSQL, because this command works on the files of a data directory. */
export function requireFiles(command: string, { databaseUrl }: ServerConfig): void {
  if (databaseUrl === undefined) return
  throw new CommandFailure(
    EXIT.usage,
    `\`pdpp owner ${command}\` works on a data directory, and PDPP_DATABASE_URL says that the data is in PostgreSQL.`,
    'Use pg_dump and pg_restore: they keep everything, with a server running or not.',
  )
}
