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
  const path = await input.databasePath?.()
  if (path === undefined) throw new ImportRefusal('database_without_path', { file: input.name })
  await refuseCut(input)
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

/** SQLite reads a file that ends too early as if the missing pages were empty, which gives half of the data. */
async function refuseCut(input: ImportInput): Promise<void> {
  const header = await readHead(input, 100)
  if (input.size === undefined || header.length < 100 || !isDatabase(header)) return
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  // The number of pages is valid only if the same program wrote it that changed the file last.
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92)
  const expected = header.readUInt32BE(28) * pageSize
  if (isCounted && input.size < expected)
    throw databaseRefusal(input, new Error(`the file has ${input.size} of ${expected} bytes`))
}
