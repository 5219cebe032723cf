import type { Database } from 'better-sqlite3'
import { StartupError } from '../../../lib/startup-error.ts'

/** Why a file cannot be used if a newer version of pdpp has written it. */
export function newerFormat(db: Database, migrations: readonly string[], file: string) {
  const version = db.pragma('user_version', { simple: true }) as number
  if (version <= migrations.length) return
  return {
    message: `${file} was written by a newer version of pdpp (data format ${version}, this one knows ${migrations.length}).`,
    fix: 'Install that version or choose another data directory with PDPP_DATA_DIR.',
  }
}

/** Applies the missing migrations in order. `user_version` is the number of applied ones. There is no way back. */
export function migrate(db: Database, migrations: readonly string[], file: string): void {
  const newer = newerFormat(db, migrations, file)
  if (newer) throw new StartupError(`${newer.message} ${newer.fix}`)
  const version = db.pragma('user_version', { simple: true }) as number
  for (let next = version; next < migrations.length; next++) {
    db.transaction(() => {
      db.exec(migrations[next]!)
      db.pragma(`user_version = ${next + 1}`)
    }).immediate()
  }
}
