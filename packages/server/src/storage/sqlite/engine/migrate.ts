import type { Database } from 'better-sqlite3'
import { StartupError } from '../../../lib/startup-error.ts'

/** Applies the missing migrations in order. `user_version` is the number of applied ones. There is no way back. */
export function migrate(db: Database, migrations: readonly string[], file: string): void {
  const version = db.pragma('user_version', { simple: true }) as number
  if (version > migrations.length) {
    throw new StartupError(
      `${file} was written by a newer version of pdpp (data format ${version}, this one knows ${migrations.length}). Install that version or choose another data directory with PDPP_DATA_DIR.`,
    )
  }
  for (let next = version; next < migrations.length; next++) {
    db.transaction(() => {
      db.exec(migrations[next]!)
      db.pragma(`user_version = ${next + 1}`)
    }).immediate()
  }
}
