import Database from 'better-sqlite3'
import type { ImportInput } from '../importer.ts'
import { ImportRefusal } from '../refusal.ts'
import { readHead } from './input-bytes.ts'

const MAGIC = Buffer.from('SQLite format 3\u0000')

/** Another program's database. */
export type ReadDatabase = Database.Database

export const isDatabase = (head: Buffer): boolean => head.subarray(0, MAGIC.length).equals(MAGIC)

/** Opens another program's database. Only this file opens databases, and only for reading. */
export async function openDatabase(input: ImportInput): Promise<ReadDatabase> {
  if (!input.databasePath) throw new ImportRefusal('database_without_path', { file: input.name })
  await refuseCut(input)
  try {
    const path = await input.databasePath()
    const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 2000 })
    // A hostile schema must not run our functions or write anything.
    database.pragma('trusted_schema = off')
    return database
  } catch (error) {
    throw databaseRefusal(input, error)
  }
}

/**
 * Writes one state of a database to a file with SQLite's backup function, even if another program is using the
 * database.
 */
export async function snapshotDatabase(file: string, copy: string): Promise<void> {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: 2000 })
  try {
    // A backup would wait long if another program has locked the database, so a quick read tests that first.
    database.prepare('select count(*) from sqlite_master').get()
    // Copies all pages in one step, because a backup in several steps starts again whenever the other program writes in
    // between.
    await database.backup(copy, { progress: () => 2_147_483_647 })
  } finally {
    database.close()
  }
}

const isInUse = (error: unknown): boolean =>
  /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(String((error as { code?: unknown }).code))

export const databaseRefusal = (input: ImportInput, error: unknown): ImportRefusal =>
  isInUse(error) ? new ImportRefusal('database_in_use', { file: input.name }) : unreadable(input, error)

const unreadable = (input: ImportInput, error: unknown): ImportRefusal =>
  new ImportRefusal('database_unreadable', { file: input.name, reason: (error as Error).message.slice(0, 160) })

/** Refuses a truncated database. SQLite would read the missing pages as empty and give half of the data. */
async function refuseCut(input: ImportInput): Promise<void> {
  const header = await readHead(input, 100)
  if (input.size === undefined || header.length < 100 || !isDatabase(header)) return
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  // The page count is valid only if the program that wrote it was also the last to change the file.
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92)
  const expected = header.readUInt32BE(28) * pageSize
  if (!isCounted || input.size >= expected) return
  // A database in use may have grown since its size was recorded.
  let size = 0
  for await (const chunk of input.open()) size += chunk.length
  if (size < expected) throw unreadable(input, new Error(`the file has ${size} of ${expected} bytes`))
}
