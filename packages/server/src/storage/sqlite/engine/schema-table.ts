import type { Database } from 'better-sqlite3'

/** A file of an older version lacks the tables of newer ones. */
export function hasTable(db: Database, name: string): boolean {
  return db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== undefined
}
