import { StartupError } from '../../../lib/startup-error.ts'
import type { Database } from './database.ts'
import { MIGRATIONS } from './migrations/index.ts'

/** Applies the missing migrations in order. Processes that start together take turns. */
export async function migrate(database: Database, migrations: readonly string[] = MIGRATIONS): Promise<void> {
  if ((await appliedMigrations(database)) === migrations.length) return
  await database.run(`create table if not exists pdpp_format (one smallint primary key, version bigint not null)`)
  await database.run('insert into pdpp_format values (1, 0) on conflict do nothing')
  await database.transaction(async (session) => {
    const [version = 0] = await session.column<number>('select version from pdpp_format where one = 1 for update')
    if (version > MIGRATIONS.length) throw newerFormat(version)
    for (const migration of migrations.slice(version)) await session.run(migration)
    await session.run('update pdpp_format set version = ? where one = 1', migrations.length)
  })
}

async function appliedMigrations(database: Database): Promise<number> {
  const [table] = await database.column<string | null>(`select to_regclass('pdpp_format')::text`)
  if (table == null) return 0
  const [version = 0] = await database.column<number>('select version from pdpp_format where one = 1')
  if (version > MIGRATIONS.length) throw newerFormat(version)
  return version
}

const newerFormat = (version: number): StartupError =>
  new StartupError(
    `The database was written by a newer version of pdpp (data format ${version}, this one knows ${MIGRATIONS.length}). Install that version, or name another database in PDPP_DATABASE_URL.`,
  )
