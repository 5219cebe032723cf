import Database from 'better-sqlite3'
import type { ImportInput } from '../importer.ts'
import { ImportRefusal } from '../refusal.ts'

const MAGIC = Buffer.from('SQLite format 3\u0000')

/** A database of another program. */
export type ReadDatabase = Database.Database

export const isDatabase = (head: Buffer): boolean => head.subarray(0, MAGIC.length).equals(MAGIC)

/** Opens a database of another program. Only this file opens databases, and only to read them. */
export async function openDatabase(input: ImportInput): Promise<ReadDatabase> {
  const path = await input.databasePath?.()
  if (path === undefined) throw new ImportRefusal('database_without_path', { file: input.name })
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 2000 })
    // A hostile schema must not run functions of ours or write anything.
    database.pragma('trusted_schema = off')
    return database
  } catch (error) {
    throw databaseRefusal(input, error)
  }
}

export const databaseRefusal = (input: ImportInput, error: unknown): ImportRefusal =>
  new ImportRefusal('database_unreadable', { file: input.name, reason: (error as Error).message.slice(0, 160) })
