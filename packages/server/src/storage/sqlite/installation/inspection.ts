// Checks of the files for `pdpp doctor`, with or without a running server. They change nothing.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Database from 'better-sqlite3'
import { BLOB_FOLDER, blobPath } from '../../blob-files.ts'
import { Handle } from '../engine/database.ts'
import { isDamage } from '../engine/fault.ts'
import { newerFormat } from '../engine/migrate.ts'
import { MAIN_MIGRATIONS, RECEIPT_MIGRATIONS } from '../engine/migrations/index.ts'
import { hasTable } from '../engine/schema-table.ts'
import { SqliteReceiptStore } from '../receipts/receipt-store.ts'
import { broken, type FileProblem, MAIN_FILE, RECEIPTS_FILE } from './file-check.ts'

/** Reads every page of a database. Checks that this version knows its format and that every record is valid JSON. */
export function inspectPages(directory: string, file: FileProblem['file']): FileProblem | undefined {
  try {
    return using(join(directory, file), (db) => {
      const found = db.pragma('quick_check(1)', { simple: true }) as string
      if (found !== 'ok') return broken(directory, file, 'has pages that do not fit together')
      const newer = newerFormat(db, file === MAIN_FILE ? MAIN_MIGRATIONS : RECEIPT_MIGRATIONS, join(directory, file))
      if (newer) return { file, ...newer }
      return hasUnreadable(db) ? broken(directory, file, 'holds records that cannot be read') : undefined
    })
  } catch (error) {
    if (isDamage(error) || isUnusable(error)) return broken(directory, file, 'cannot be read')
    throw error
  }
}

/** SQLite pages have no checksums, so a damaged page may look intact. */
function hasUnreadable(db: Database.Database): boolean {
  const tables = db.prepare("select name from sqlite_schema where type = 'table' and name glob 'r[0-9]*'").pluck().all()
  return tables.some((table) => db.prepare(`select 1 from ${table} where not json_valid(data) limit 1`).get())
}

/** Our statement is correct, so this error means that the tables are damaged. */
const isUnusable = (error: unknown): boolean => (error as { code?: unknown }).code === 'SQLITE_ERROR'

export interface InspectedChain {
  readonly checked: number
  /** The first receipt that does not match the chain. */
  readonly brokenAt: number | undefined
}

/** Verifies the receipt chain of every owner. */
export async function inspectChain(directory: string): Promise<InspectedChain> {
  const db = new Database(join(directory, RECEIPTS_FILE), { readonly: true, fileMustExist: true, timeout: 5000 })
  try {
    const handle = new Handle(db)
    const store = new SqliteReceiptStore({ receipts: handle, reader: handle })
    let checked = 0
    if (!hasTable(db, 'receipt')) return { checked, brokenAt: undefined }
    // In an older file that was not migrated yet, the table has its former name.
    if (!hasTable(db, 'text_id')) db.exec('create temp view text_id as select id, text from word')
    for (const subjectId of handle.column<string>('select distinct subject_id from receipt')) {
      const part = await store.verify(subjectId)
      checked += part.checked
      if (part.brokenAt !== undefined) return { checked, brokenAt: part.brokenAt }
    }
    return { checked, brokenAt: undefined }
  } finally {
    db.close()
  }
}

export interface InspectedBlobs {
  readonly total: number
  readonly checked: number
  readonly missing: readonly string[]
  readonly changed: readonly string[]
}

/** Checks a random sample of blobs: whether they exist and match their hash. */
export async function inspectBlobs(
  directory: string,
  { maxBlobs, maxBytes }: { maxBlobs: number; maxBytes: number },
): Promise<InspectedBlobs> {
  const { total, rows } = using(join(directory, MAIN_FILE), (db) => chosenBlobs(db, maxBlobs))
  const missing: string[] = []
  const changed: string[] = []
  let bytes = 0
  let checked = 0
  for (const { sha256, size } of rows) {
    const path = join(directory, BLOB_FOLDER, blobPath(sha256))
    if (!existsSync(path)) missing.push(sha256)
    else if (bytes + size > maxBytes && checked > 0) continue
    else if ((await hashOf(path)) !== sha256) changed.push(sha256)
    bytes += size
    checked++
  }
  return { total, checked, missing, changed }
}

function chosenBlobs(db: Database.Database, max: number) {
  // A store of an older version gets the table at its next start.
  if (!hasTable(db, 'blob')) return { total: 0, rows: [] }
  const sql = 'select sha256, max(size_bytes) size from blob group by sha256 order by random() limit ?'
  return {
    total: db.prepare('select count(distinct sha256) from blob').pluck().get() as number,
    rows: db.prepare(sql).all(max) as { sha256: string; size: number }[],
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function using<T>(file: string, read: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 })
  try {
    return read(db)
  } finally {
    db.close()
  }
}
