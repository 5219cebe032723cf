import Database from 'better-sqlite3'
import type { ImportInput } from '../importer.ts'
import { ImportRefusal } from '../refusal.ts'
import { readHead } from './input-bytes.ts'

const MAGIC = Buffer.from('SQLite format 3\u0000')

/** A database of another program. */
export type ReadDatabase = Database.Database

export const isDatabase = (head: Buffer): boolean => head.subarray(0, MAGIC.length).equals(MAGIC)

/** Opens a database of another program. Only this file opens databases, and only to read them. */
export async function openDatabase(input: ImportInput): Promise<ReadDatabase> {
  if (!input.databasePath) throw new ImportRefusal('database_without_path', { file: input.name })
  await refuseCut(input)
  try {
    const path = await input.databasePath()
    const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 2000 })
    // A hostile schema must not run functions of ours or write anything.
    database.pragma('trusted_schema = off')
    return database
  } catch (error) {
    throw databaseRefusal(input, error)
  }
}

/** Writes one state of a database into a file, with SQLite's own backup, while another program may use the database. */
export async function snapshotDatabase(file: string, copy: string): Promise<void> {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: 2000 })
  try {
    // A backup would wait long for a program that lets nobody read, so a read asks first.
    database.prepare('select count(*) from sqlite_master').get()
    // All pages at once, because a backup in steps begins again when the other program writes between two of them.
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

/** SQLite reads a file that ends too early as if the missing pages were empty, which gives half of the data. */
async function refuseCut(input: ImportInput): Promise<void> {
  const header = await readHead(input, 100)
  if (input.size === undefined || header.length < 100 || !isDatabase(header)) return
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  // The number of pages is valid only if the same program wrote it that changed the file last.
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92)
  const expected = header.readUInt32BE(28) * pageSize
  if (!isCounted || input.size >= expected) return
  // A database in use may have grown since its size was noted.
  let size = 0
  for await (const chunk of input.open()) size += chunk.length
  if (size < expected) throw unreadable(input, new Error(`the file has ${size} of ${expected} bytes`))
}
